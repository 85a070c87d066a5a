package bank

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Label is the short name of program m of a bank, counted from 0, as in the paper: H00, H01, …
func Label(m int) string { return fmt.Sprintf("H%02d", m) }

// Heuristic is one entry (c_m, d_m) of the bank (Eq. 1).
type Heuristic struct {
	Name        string  `json:"name"`        // file-safe, unique in its bank
	Source      string  `json:"source"`      // c_m: the Go file in gofmt's layout
	Description string  `json:"description"` // d_m: the doc comment of Score
	TauH        float64 `json:"tau_h"`       // τ_h of Eq. 2; > 0
	Lineage     Lineage `json:"lineage"`

	// Unfitted says that nobody gave a τ_h: TauH is DefaultTauH until the first training fits it.
	Unfitted bool `json:"unfitted,omitempty"`
}

// Origin says who or what wrote a heuristic.
type Origin string

// The origins.
const (
	OriginStarter  Origin = "starter"  // the starting bank that comes with EPB
	OriginGallery  Origin = "gallery"  // the paper's appendix
	OriginTextGrad Origin = "textgrad" // an edit of a TextGrad round
	OriginAdd      Origin = "add"      // a candidate of Add
	OriginHand     Origin = "hand"     // a person
	OriginSketch   Origin = "sketch"   // fitted to the teacher's decisions: a sum of named features
)

// Lineage records the origin of an entry.
type Lineage struct {
	Origin Origin  `json:"origin"`
	Parent string  `json:"parent,omitempty"` // ID of the heuristic it replaced
	Pass   int     `json:"pass,omitempty"`   // outer pass of Alg. 1
	Round  int     `json:"round,omitempty"`  // attempts at the same edit or candidate before this one
	Gain   float64 `json:"gain,omitempty"`   // fall of the validation loss (TextGrad) or rise of coverage (Add)
	LLM    string  `json:"llm,omitempty"`    // model that wrote it, "stand-in" for the rule-based one
}

// ID is the identity of the code: the SHA-256 of its normalised source, in hex.
func (h Heuristic) ID() string {
	sum := sha256.Sum256([]byte(h.Source))
	return hex.EncodeToString(sum[:])
}

// Setting is the problem that programs solve and the view that they have of it. There is an SDK package for each.
type Setting struct {
	Problem routing.Problem `json:"problem"`
	View    routing.View    `json:"view"`
}

// Bank is an ordered set of heuristics for one setting (Eq. 1).
type Bank struct {
	Setting
	Teacher    string      `json:"teacher,omitempty"`
	Heuristics []Heuristic `json:"heuristics"`
}

// TauH returns τ_h of every heuristic (Eq. 2), float64 [M] in bank order.
func (b *Bank) TauH() *tensor.Dense {
	tauH := make([]float64, len(b.Heuristics))
	for m, h := range b.Heuristics {
		tauH[m] = h.TauH
	}
	return dense.Vector(tauH)
}

// Names returns the name of every heuristic, in bank order.
func (b *Bank) Names() []string {
	names := make([]string, len(b.Heuristics))
	for m, h := range b.Heuristics {
		names[m] = h.Name
	}
	return names
}

// Models returns the language models that wrote heuristics, each once, in the order of their first ones.
func Models(hs []Heuristic) []string {
	var models []string
	for _, h := range hs {
		if m := h.Lineage.LLM; m != "" && !slices.Contains(models, m) {
			models = append(models, m)
		}
	}
	return models
}

// Origins returns, for every heuristic of the bank, the index of the heuristic of the same name in an older bank, or -1
// where there is none.
func (b *Bank) Origins(old *Bank) []int {
	from := make([]int, len(b.Heuristics))
	for m, h := range b.Heuristics {
		from[m] = old.Index(h.Name)
	}
	return from
}

// Index returns the index of the heuristic of a name, or -1 where there is none.
func (b *Bank) Index(name string) int {
	return slices.IndexFunc(b.Heuristics, func(h Heuristic) bool { return h.Name == name })
}

// With returns a bank with one heuristic more, at the end. The error says why it cannot join.
func (b *Bank) With(h Heuristic) (*Bank, error) {
	more := *b
	more.Heuristics = append(slices.Clip(b.Heuristics), h)
	return &more, more.Validate()
}

// SetTauH sets τ_h of every heuristic from a tensor in the form of TauH. No heuristic is unfitted then.
func (b *Bank) SetTauH(tauH *tensor.Dense) {
	for m, tau := range dense.Must[float64]("τ_h of the bank", tauH, len(b.Heuristics)) {
		b.Heuristics[m].TauH, b.Heuristics[m].Unfitted = tau, false
	}
}

// Programs returns the sources of every heuristic, in bank order.
func (b *Bank) Programs() []compile.Program {
	programs := make([]compile.Program, len(b.Heuristics))
	for m, h := range b.Heuristics {
		programs[m] = compile.Program{Name: h.Name, Source: h.Source}
	}
	return programs
}

// Package describes the SDK package that heuristics are written for. Another package would show them more or less than
// the teacher sees. The error lists the problems and views.
func (s Setting) Package() (sdk.Package, error) { return sdk.Find(s.Problem, s.View) }

// SDK returns the name of Package, "" where there is none.
func (s Setting) SDK() string {
	p, _ := s.Package()
	return p.Name
}

// ViaDepot reports whether programs decide on the next customer and the way there at once, as LEHD does.
func (s Setting) ViaDepot() bool {
	p, _ := s.Package()
	return p.ViaDepot
}

// Fits returns an error if a heuristic that bank.New accepted is written for another SDK package. The error is a
// *heuristic.Error of stage check.
func (s Setting) Fits(h Heuristic) error {
	c, err := heuristic.Check(h.Source)
	if err != nil {
		return err
	}
	if want := s.SDK(); c.SDK != want {
		return &heuristic.Error{Stage: heuristic.StageCheck,
			Msg: fmt.Sprintf("the program is written for SDK package %s, but a bank for %s with the %s view needs %s: "+
				"import %q and take *%s.State",
				c.SDK, s.Problem, s.View, want, sdk.Path+"/"+want, want)}
	}
	return nil
}
