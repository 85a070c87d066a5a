package compare_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/student"
)

// run is a finished run as far as groups look at it.
func run(id string, seed uint64, minutes float64, off bool) report.Data {
	d := report.Data{Run: report.Run{ID: id, Minutes: minutes}}
	d.Config.Seed, d.Config.Name, d.Config.TextGrad.Off = seed, id, off
	d.History = []report.Epoch{{Epoch: 1, ValTop1: 0.5}}
	return d
}

// TestGroups: seed and name alone do not part runs, anything else of the config does; several runs of a seed count
// once, as their mean.
func TestGroups(t *testing.T) {
	groups, err := compare.Groups([]report.Data{
		run("both-1", 1, 2, false), run("numeric-1", 1, 7, true), run("both-2", 2, 6, false),
		run("both-2b", 2, 8, false),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) != 2 || groups[0].Name != "both" || groups[1].Name != "numeric-1" || len(groups[0].Seeds()) != 2 {
		t.Fatalf("groups %+v", groups)
	}
	minutes := groups[0].Values(func(d report.Data) (float64, bool) { return d.Run.Minutes, true })
	if got := fmt.Sprint(minutes); got != "[2 7]" {
		t.Errorf("minutes by seed %s, want [2 7]", got)
	}
}

// The name of a group ends at a whole letter: é and è begin with the same byte.
func TestGroupNamesAreWhole(t *testing.T) {
	groups, err := compare.Groups([]report.Data{run("essai-é", 1, 0, false), run("essai-è", 2, 0, false)})
	if err != nil || len(groups) != 1 || groups[0].Name != "essai" {
		t.Errorf("groups %+v (%v), want one of the name essai", groups, err)
	}
}

// Runs that differ in their teachers are no group: without hashes, names tell these apart.
func TestGroupsByTeacher(t *testing.T) {
	of := func(id string, seed uint64, teacher string) report.Data {
		d := run(id, seed, 0, false)
		d.Teacher.Name = teacher
		return d
	}
	runs := []report.Data{of("a-1", 1, "am"), of("p-2", 2, "pomo"), of("a-2", 2, "am")}
	groups, err := compare.Groups(runs)
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) != 2 || len(groups[0].Runs) != 2 || groups[1].Name != "p-2" {
		t.Errorf("groups %+v, want the two of am, and the one of pomo", groups)
	}
	if teachers := compare.TeachersOf(runs); teachers.Of(runs[0]) != "am" || teachers.Of(runs[1]) != "pomo" {
		t.Errorf("teachers %v", teachers)
	}
}

// A student without a report has a teacher's name alone: that of the one checkpoint of this name, or of one of several.
func TestTeachersOfStudents(t *testing.T) {
	of := func(name, hash string) report.Data {
		return report.Data{Teacher: report.Teacher{Name: name, SHA256: hash}}
	}
	if got := compare.TeachersOf([]report.Data{of("am", "0123456789"), of("am", "")}); got != nil {
		t.Errorf("one checkpoint: %v, want no names", got)
	}
	got := compare.TeachersOf([]report.Data{of("am", "0123456789"), of("am", "abcdefabcd"), of("am", "")})
	for hash, want := range map[string]string{
		"0123456789": "am 01234567", "abcdefabcd": "am abcdefab", "": "am, checkpoint not known",
	} {
		if is := got.Of(of("am", hash)); is != want {
			t.Errorf("checkpoint %q is called %q, want %q", hash, is, want)
		}
	}
}

// Two students without reports may differ in more than their seeds: nobody knows.
func TestStudentsAreNoGroup(t *testing.T) {
	of := func(name string, seed uint64) report.Data {
		d := compare.OfStudent(distilled.Files{
			Bank: &bank.Bank{}, Manifest: distilled.Manifest{Teacher: "am", Nodes: 20, Seed: seed},
			Model: &student.Model{Config: student.Config{Routing: student.Hard}},
		})
		d.Run.ID = name
		return d
	}
	groups, err := compare.Groups([]report.Data{of("small", 1), of("large", 2), of("again", 2)})
	if err != nil || len(groups) != 3 {
		t.Errorf("groups %+v, %v, want each by itself", groups, err)
	}
	if !of("large", 2).OneRule() {
		t.Error("a student whose leader decides alone is taken for one that mixes")
	}
	if c := of("large", 2).Config; c.Seed != 2 || c.Nodes != 20 {
		t.Errorf("the student's seed is %d and its size %d, want those of its manifest, 2 and 20", c.Seed, c.Nodes)
	}
}

// A run without a measure is left out of its group's mean. A run that ended early keeps its last value for as long as
// another of its group lasts.
func TestValues(t *testing.T) {
	long, short := run("a-1", 1, 0, false), run("a-2", 2, 6, false)
	long.History = append(long.History, report.Epoch{Epoch: 2, ValTop1: 0.75})
	g := compare.Group{Runs: []report.Data{long, short}}
	minutes := compare.Measures()[0]
	if got := g.Values(minutes.Known); fmt.Sprint(minutes.Name, got) != "minutes[6]" {
		t.Errorf("%s %v, want the 6 of the run that took time", minutes.Name, got)
	}
	for epoch, want := range []string{"[0.5 0.5]", "[0.75 0.5]", "[]"} {
		if got := fmt.Sprint(g.At(epoch, func(e report.Epoch) float64 { return e.ValTop1 })); got != want {
			t.Errorf("top-1 of epoch %d is %s, want %s", epoch, got, want)
		}
	}
}

func TestCell(t *testing.T) {
	for want, values := range map[string][]float64{
		"+2.00 %": {2}, "+3.00 ± 1.41 %": {2, 4}, "": {math.NaN()},
	} {
		if got := compare.Cell(values, 2, true); got != want {
			t.Errorf("%v: %q, want %q", values, got, want)
		}
	}
	top1 := compare.Measure{Digits: 1, Unit: compare.Share}
	for want, values := range map[string][]float64{"92.5 %": {0.9245}, "93.0 ± 1.4 %": {0.92, 0.94}, "": nil} {
		if got := top1.Cell(values); got != want {
			t.Errorf("%v: %q, want %q", values, got, want)
		}
	}
}

// A run whose calls were free cost nothing; of one that asked no model it is not known.
func TestCostOfFreeCalls(t *testing.T) {
	all := compare.Measures()
	usd := all[len(all)-1]
	d := run("a-1", 1, 0, false)
	if v, ok := usd.Known(d); ok {
		t.Errorf("%s of a run without calls is %v, want none", usd.Name, v)
	}
	d.LLM.Calls = 3
	if v, ok := usd.Known(d); !ok || v != 0 {
		t.Errorf("%s of free calls is %v (%v), want 0", usd.Name, v, ok)
	}
}
