package compare

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/report"
)

// Row is what is said of a run in JSON.
type Row struct {
	Run      string             `json:"run"`
	Seed     uint64             `json:"seed"`
	Teacher  string             `json:"teacher"`
	Measures map[string]float64 `json:"measures"` // by the names of the table's columns
	History  []report.Epoch     `json:"history,omitempty"`
	Group    *Summary           `json:"over_seeds,omitempty"` // of runs that differ from it in the seed alone
}

// Summary is what is said in JSON of runs that differ in their seed alone.
type Summary struct {
	Name     string            `json:"name"`
	Runs     []string          `json:"runs"`
	Seeds    int               `json:"seeds"`
	Measures map[string]Spread `json:"measures"` // by the names of the table's columns
}

// Spread is a measure over seeds.
type Spread struct {
	Mean  float64 `json:"mean"`
	SD    float64 `json:"sd"`    // of the sample; 0 for one seed
	Seeds int     `json:"seeds"` // that have the measure
}

// Rows returns what is said in JSON of each run, with history its epochs too. all are the groups of the runs.
func Rows(runs []report.Data, all []Group, history bool) []Row {
	groups := map[string]*Summary{} // by run
	for _, g := range all {
		if of := g.summary(); of.Seeds > 1 {
			for _, run := range of.Runs {
				groups[run] = &of
			}
		}
	}
	rows := make([]Row, len(runs))
	for i, d := range runs {
		rows[i] = Row{
			Run: d.Run.ID, Seed: d.Config.Seed, Teacher: d.Teacher.Name, Measures: map[string]float64{},
			Group: groups[d.Run.ID],
		}
		for _, m := range Measures() {
			if v := m.Of(d); !math.IsNaN(v) { // a run has not every measure
				rows[i].Measures[m.Name] = v
			}
		}
		if history {
			rows[i].History = d.History
		}
	}
	return rows
}

// summary sums up a group.
func (g Group) summary() Summary {
	of := Summary{Name: g.Name, Seeds: len(g.Seeds()), Measures: map[string]Spread{}}
	for _, d := range g.Runs {
		of.Runs = append(of.Runs, d.Run.ID)
	}
	for _, m := range Measures() {
		values := g.Values(m.Known)
		if len(values) == 0 {
			continue
		}
		s := Spread{Mean: stat.Mean(values, nil), Seeds: len(values)}
		if len(values) > 1 {
			s.SD = stat.StdDev(values, nil)
		}
		of.Measures[m.Name] = s
	}
	return of
}
