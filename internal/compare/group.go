// Package compare compares finished runs: their figures, and mean and spread over runs that differ only in the seed.
package compare

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"

	"github.com/epb-nco/epb/internal/report"
)

// Group is runs that differ in nothing but seed and name. A student without a report does not say how it was made: it
// is a group by itself.
type Group struct {
	// what the runs' names have in common, or the first and the last of them where other runs have that in common too
	Name string
	Runs []report.Data
}

// Groups sorts runs into groups, in the order of their first runs.
func Groups(runs []report.Data) ([]Group, error) {
	var found []Group
	at := map[string]int{}
	for _, d := range runs {
		c := d.Config
		c.Seed, c.Name = 0, ""
		spec, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		key := teacherKey(d) + string(spec)
		if !trained(d) {
			key = d.Run.ID
		}
		i, ok := at[key]
		if !ok {
			i = len(found)
			at[key], found = i, append(found, Group{})
		}
		found[i].Runs = append(found[i].Runs, d)
	}
	names := map[string]int{}
	for i := range found {
		found[i].Name = found[i].common()
		names[found[i].Name]++
	}
	for i, s := range found {
		if last := len(s.Runs) - 1; last > 0 && (s.Name == "" || names[s.Name] > 1) {
			found[i].Name = s.Runs[0].Run.ID + "…" + s.Runs[last].Run.ID
		}
	}
	return found, nil
}

// common returns the longest common beginning of the names of the group's runs.
func (g Group) common() string {
	name := g.Runs[0].Run.ID
	for _, d := range g.Runs[1:] {
		for !strings.HasPrefix(d.Run.ID, name) {
			_, last := utf8.DecodeLastRuneInString(name)
			name = name[:len(name)-last]
		}
	}
	if len(g.Runs) > 1 {
		name = strings.TrimRight(name, "-")
	}
	return name
}

// Seeds returns the group's runs by their seeds, in the order of the first runs.
func (g Group) Seeds() [][]report.Data {
	var found [][]report.Data
	for _, d := range g.Runs {
		same := func(runs []report.Data) bool { return runs[0].Config.Seed == d.Config.Seed }
		if i := slices.IndexFunc(found, same); i >= 0 {
			found[i] = append(found[i], d)
		} else {
			found = append(found, []report.Data{d})
		}
	}
	return found
}

// Values returns a measure for every seed: the mean if several runs have that seed. Runs without the measure are left
// out.
func (g Group) Values(of func(d report.Data) (float64, bool)) []float64 {
	var all []float64
	for _, runs := range g.Seeds() {
		var values []float64
		for _, d := range runs {
			if v, ok := of(d); ok {
				values = append(values, v)
			}
		}
		if len(values) > 0 {
			all = append(all, stat.Mean(values, nil))
		}
	}
	return all
}

// Longest returns the number of epochs of the group's longest run.
func (g Group) Longest() (epochs int) {
	for _, d := range g.Runs {
		epochs = max(epochs, len(d.History))
	}
	return epochs
}

// At returns a value of an epoch, counted from 0, for every seed. A run that has ended keeps its last value until the
// longest of the group ends.
func (g Group) At(epoch int, of func(report.Epoch) float64) []float64 {
	return g.Values(func(d report.Data) (float64, bool) {
		if epoch >= g.Longest() || len(d.History) == 0 {
			return 0, false
		}
		return of(d.History[min(epoch, len(d.History)-1)]), true
	})
}

// teacherKey tells teachers apart: by the hash of the checkpoint or, of a student without a report, by the name.
func teacherKey(d report.Data) string { return cmp.Or(d.Teacher.SHA256, d.Teacher.Name) }

// Teachers is what to call the teachers of some runs; nil where all have the same.
type Teachers map[string]string

// TeachersOf returns what to call the teachers of some runs. Where one checkpoint has a name, it is also that of a
// student without a report whose teacher has this name.
func TeachersOf(runs []report.Data) Teachers {
	hashes := map[string][]string{} // of the checkpoints of a name
	for _, d := range runs {
		name, hash := d.Teacher.Name, d.Teacher.SHA256
		if hash != "" && !slices.Contains(hashes[name], hash) {
			hashes[name] = append(hashes[name], hash)
		}
	}
	names := Teachers{}
	for _, d := range runs {
		name, hash := d.Teacher.Name, d.Teacher.SHA256
		switch of := hashes[name]; {
		case len(of) == 1:
			names[of[0]] = name
		case hash != "":
			names[hash] = name + " " + hash[:min(8, len(hash))]
		case len(of) > 1:
			names[name] = name + ", checkpoint not known"
		default:
			names[name] = name
		}
	}
	if len(names) < 2 {
		return nil
	}
	return names
}

// Of returns what to call the teacher of a run.
func (t Teachers) Of(d report.Data) string { return cmp.Or(t[teacherKey(d)], d.Teacher.Name) }
