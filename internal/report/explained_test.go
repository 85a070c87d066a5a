package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
)

// explained is a run whose test set has explanations of three nodes.
func explained() report.Data {
	d := sample()
	about := explain.Student{Router: "named"}
	for _, h := range d.Bank {
		about.Programs = append(about.Programs, explain.Program{Name: h.Name, Label: "H00", Source: h.Source})
	}
	M := len(d.Bank)
	for _, name := range []string{"test instance 0", "test instance 1"} {
		step := explain.Step{Candidates: []int32{1, 2}, Student: []float32{0.5, 0.5}, Second: 1, TeacherFirst: 2}
		step.StepExplanation = evaluate.StepExplanation{Step: 1, Action: 1, Weights: make([]float32, M)}
		for range M {
			step.Programs, step.Firsts = append(step.Programs, []float32{0.5, 0.5}), append(step.Firsts, 1)
		}
		last := explain.Step{Chosen: -1, Second: -1, TeacherFirst: -1}
		last.StepExplanation = evaluate.StepExplanation{Step: 2, Action: 2, Leader: -1, Forced: true}
		d.Explained = append(d.Explained, explain.Explanation{
			Version: explain.Version, Problem: routing.TSP, View: routing.Full, Student: about, Teacher: "AM",
			Instance: explain.Instance{
				Name: name, Seen: []float32{0, 0, 1, 0, 0, 1}, Coords: []float64{0, 0, 1, 0, 0, 1},
			},
			Actions: []int32{0, 1, 2}, Steps: []explain.Step{step, last},
		})
	}
	return d
}

// A report with explanations has one player, in the colours of the report. A report without them has no script, and
// neither has the data of any.
func TestReportHasPlayer(t *testing.T) {
	d := explained()
	page := render(t, d)
	contains(t, page, `<a href="#steps">Step by step</a>`, `<section id="steps">`, `data-colours="h`, "test instance 1",
		"AM would have chosen otherwise at")
	if n := strings.Count(page, `<section class="player"`); n != 1 {
		t.Errorf("%d players, want 1", n)
	}
	if n := strings.Count(page, "<script"); n != 2 {
		t.Errorf("%d scripts, want the player's and its data", n)
	}
	d.Explained = nil
	if strings.Contains(render(t, d), "<script") {
		t.Error("a report without explanations has a script")
	}
	var b bytes.Buffer
	if err := report.JSON(&b, explained()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "explained") {
		t.Error("the data has explanations")
	}
}
