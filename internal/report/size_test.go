package report_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/player"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
)

// large is a run with a bank of 36 programs and four tours of 500 nodes, two of them explained: see mostPart. Its
// solver has half a megabyte, more than those of sketched banks of that size.
func large() report.Data {
	const M = 36
	d, rng := sample(), rand.New(rand.NewPCG(3, 4))
	for m := len(d.Bank); m < M; m++ {
		h, use := d.Bank[m%12], d.Activation.Heuristics[m%12]
		h.Name = fmt.Sprintf("%s_%d", h.Name, m/12)
		use.Name = h.Name
		d.Bank, d.Activation.Heuristics = append(d.Bank, h), append(d.Activation.Heuristics, use)
	}
	about := explain.Student{Router: "named"}
	var names []string
	for m, h := range d.Bank {
		names = append(names, h.Name)
		about.Programs = append(about.Programs, explain.Program{Name: h.Name, Label: fmt.Sprintf("H%02d", m),
			Description: h.Description, Source: h.Source, TauH: h.TauH})
	}
	d.Table = table(names)
	d.Solver = make([]byte, 500_000)
	d.Tours = nil
	for i := range uint64(4) {
		pair := tours(500, i, rng)
		d.Tours = append(d.Tours, pair)
		if i < 2 {
			e := explained500(pair, about, rng)
			d.Explained = append(d.Explained, e.Trim(player.Candidates))
		}
	}
	return d
}

// explained500 explains the student's tour of a pair, with random probabilities. The teacher parts in every third step.
func explained500(pair report.TourPair, about explain.Student, rng *rand.Rand) explain.Explanation {
	M, actions := len(about.Programs), pair.Student.Actions
	spread := func(K int) []float32 {
		p, sum := make([]float32, K), float32(0)
		for k := range p {
			p[k] = float32(math.Exp(4 * rng.NormFloat64()))
			sum += p[k]
		}
		for k := range p {
			p[k] /= sum
		}
		return p
	}
	e := explain.Explanation{
		Version: explain.Version, Problem: routing.TSP, View: routing.Full, Student: about, Teacher: "AM",
		Actions:  actions,
		Instance: explain.Instance{Name: pair.Instance, Seen: pair.Coords, Span: 1, Rounding: "nothing is rounded"},
	}
	for _, v := range pair.Coords {
		e.Instance.Coords = append(e.Instance.Coords, float64(v))
	}
	for at := 1; at < len(actions); at++ {
		candidates := actions[at:]
		K := len(candidates)
		s := explain.Step{From: actions[at-1], Candidates: candidates, Student: spread(K), Teacher: spread(K),
			TeacherFirst: candidates[min(K-1, at%3/2)], Rank: 1 + at%4, Second: (at + 1) % M}
		s.StepExplanation = evaluate.StepExplanation{Step: at, Action: actions[at], Leader: at % M, Weights: spread(M),
			Margin: 0.1, Nearest: at%4 == 0, Agree: at % M}
		s.Programs = make([][]float32, M)
		for m := range M {
			s.Programs[m], s.Firsts = spread(K), append(s.Firsts, candidates[m%K])
		}
		for range 4 {
			s.Reasons = append(s.Reasons, readable.Term{Weight: rng.NormFloat64(),
				Says: "With many near cities to the right of the nearest, trust who proposes isolated cities."})
		}
		if K > 1 {
			s.Terms = &explain.Terms{Other: candidates[1]}
			for _, name := range []string{"distance", "isolation", "toStart", "crowding", "lateness"} {
				s.Terms.Weights = append(s.Terms.Weights, explain.TermOfWeight{Name: name,
					Values: [2]float32{rng.Float32(), rng.Float32()}})
			}
		}
		e.Steps = append(e.Steps, s)
	}
	return e
}

// A report of 36 programs and four tours of 500 nodes stays under 5 MB. Where EPB_PAGES names a folder, the page is
// written there: make audit looks at it in a browser.
func TestSizeOfPage(t *testing.T) {
	page := render(t, large())
	t.Logf("%d bytes", len(page))
	if len(page) > 5_000_000 {
		t.Errorf("%d bytes, want at most 5 MB", len(page))
	}
	if folder := os.Getenv("EPB_PAGES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "large.html"), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
