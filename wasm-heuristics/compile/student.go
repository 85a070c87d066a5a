package compile

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// Student is the source of a whole student: its programs, and a router that says how far each is trusted.
type Student struct {
	Programs []Program
	TauH     []float64 // [M] τ_h of Eq. 2
	Router   string    // see heuristic.CheckRouter
	Hard     bool      // the program of the largest weight decides alone
}

// BuildStudent compiles a student to one module, as Build does a program. Its score of a candidate is π_S, the mixture
// of Eq. 5, or V_m of the program of the largest weight. The constants of programs stay constants: the module has no
// weights. All programs and the router share the fuel of one program. The error is a *heuristic.Error where a source is
// refused; it names the program.
func (t *Toolchain) BuildStudent(ctx context.Context, s Student) ([]byte, error) {
	w, err := s.workspace(t.Target)
	if err != nil {
		return nil, err
	}
	return t.made(ctx, w, nil)
}

// workspace returns the files of a student's build. The router and each program are packages of their own, with fuel.
// What mixes them is trusted.
func (s Student) workspace(inherits string) ([]sourceFile, error) {
	if len(s.Programs) == 0 || len(s.TauH) != len(s.Programs) {
		return nil, fmt.Errorf("build student: %d programs with %d τ_h, want one of each program",
			len(s.Programs), len(s.TauH))
	}
	router, err := heuristic.CheckRouter(s.Router)
	if err != nil {
		return nil, fmt.Errorf("router: %w", err)
	}
	w := moduleFiles(inherits, memory)
	bounded := true
	add := func(c heuristic.Checked, folder string) {
		w = append(w, sourceFile{folder + "/heuristic.go", addFuel(c.Unit, false, nil)},
			sourceFile{folder + "/ticker.go", ticker(c.Package)})
		bounded = bounded && fuelBounds(c.Unit)
	}
	add(router, "heuristic/router")
	for m, p := range s.Programs {
		c, err := heuristic.Check(p.Source)
		switch {
		case err != nil:
			return nil, fmt.Errorf("program %s: %w", p.Name, err)
		case c.SDK != router.SDK:
			return nil, fmt.Errorf("program %s is for package %s, the router for %s", p.Name, c.SDK, router.SDK)
		}
		add(c, fmt.Sprintf("heuristic/program%d", m))
	}
	w = append(w, sourceFile{"heuristic/heuristic.go", s.mixture(router.SDK)})
	if !bounded {
		w = append(w, sourceFile{"guest/metered.go", metered})
	}
	return addGuest(w, router.SDK)
}

// The ends of Score, which writes the student's distribution to score.
const (
	softMixture = `	for m, w := range weights {
		for k, v := range proposals[m] {
			score[k] += w * v
		}
	}
`
	hardMixture = `	lead := 0
	for m, w := range weights {
		if w > weights[lead] {
			lead = m
		}
	}
	copy(score, proposals[lead])
`
)

// mixture returns the source that computes V_m of all programs (Eq. 2) and mixes them by the router's weights (Eq. 5).
func (s Student) mixture(sdkName string) string {
	var imports, programs, tauH strings.Builder
	for m, tau := range s.TauH {
		fmt.Fprintf(&imports, "\tprogram%d %q\n", m, fmt.Sprintf("%s/heuristic/program%d", module, m))
		fmt.Fprintf(&programs, "program%d.Score, ", m)
		fmt.Fprintf(&tauH, "%s, ", strconv.FormatFloat(tau, 'g', -1, 64))
	}
	return fmt.Sprintf(`package student

import (
	"math"

%[1]s	router %[2]q
	%[3]q
)

func Score(s *%[4]s.State, score []float32) {
	programs := []func(*%[4]s.State, []float32){%[5]s}
	tauH := []float64{%[6]s}
	proposals, weights := make([][]float32, len(programs)), make([]float32, len(programs))
	for m, program := range programs {
		proposals[m] = make([]float32, len(score))
		program(s, proposals[m])
		softmax(proposals[m], tauH[m])
	}
	router.Weights(s, proposals, weights)
%[7]s}

func softmax(x []float32, tau float64) {
	top := float32(math.Inf(-1))
	for _, v := range x {
		top = max(top, v)
	}
	sum := 0.0
	for k, v := range x {
		e := math.Exp(float64(v-top) / tau)
		x[k] = float32(e)
		sum += e
	}
	for k := range x {
		x[k] = float32(float64(x[k]) / sum)
	}
}
`, imports.String(), module+"/heuristic/router", sdk.Path+"/"+sdkName, sdkName, programs.String(), tauH.String(),
		map[bool]string{false: softMixture, true: hardMixture}[s.Hard])
}

// Program is a named source to compile.
type Program struct {
	Name   string
	Source string // one Go file
}
