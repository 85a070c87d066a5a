package bank

import "strings"

// Kind is the kind of change of a heuristic.
type Kind string

// The kinds of change.
const (
	Added     Kind = "added"
	Removed   Kind = "removed"
	Rewritten Kind = "rewritten" // its code differs
	Described Kind = "described" // its description alone differs
	Renamed   Kind = "renamed"   // the same program under another name
	Retuned   Kind = "retuned"   // its τ_h alone differs
)

// Change is one heuristic that differs between two banks. Old is nil where it was added, New where it was removed.
type Change struct {
	Kind Kind       `json:"kind"`
	Old  *Heuristic `json:"old,omitempty"`
	New  *Heuristic `json:"new,omitempty"`
}

// Diff returns what turns bank a into bank b: additions and changes in the order of b, then removals in the order of a.
// It compares heuristics of the same name, and recognises a program that has another name. A different order or lineage
// is no change.
func Diff(a, b *Bank) []Change {
	names, codes := map[string]*Heuristic{}, map[string]*Heuristic{}
	for i := range a.Heuristics {
		h := &a.Heuristics[i]
		names[h.Name] = h
		if !b.Has(h.Name) {
			codes[h.body()] = h
		}
	}
	var changes []Change
	kept := map[*Heuristic]bool{}
	for i := range b.Heuristics {
		h := &b.Heuristics[i]
		old := names[h.Name]
		if old == nil {
			old = codes[h.body()]
		}
		kept[old] = true
		if kind := compare(old, h); kind != "" {
			changes = append(changes, Change{kind, old, h})
		}
	}
	for i := range a.Heuristics {
		if h := &a.Heuristics[i]; !kept[h] {
			changes = append(changes, Change{Kind: Removed, Old: h})
		}
	}
	return changes
}

// Has reports whether the bank has a program of this name.
func (b *Bank) Has(name string) bool { return b.Index(name) >= 0 }

// compare returns how b differs from a, or nothing. The first difference that matters names the change.
func compare(a, b *Heuristic) Kind {
	switch {
	case a == nil:
		return Added
	case a.Name != b.Name:
		return Renamed
	case a.Description != b.Description && a.code() == b.code():
		return Described
	case a.Source != b.Source:
		return Rewritten
	case a.TauH != b.TauH:
		return Retuned
	}
	return ""
}

// code is the source without Score's doc comment, the description.
func (h Heuristic) code() string {
	before, after, _ := strings.Cut(h.body(), "\nfunc Score(")
	doc := strings.LastIndex(before, "\n\n")
	return before[:max(doc, 0)] + after
}

// Lines compares two texts line by line and returns both as one, every line marked with "+ " (only in b), "- " (only in
// a) or "  " (in both). As many lines as possible are in both. The cost is the product of the numbers of lines.
func Lines(a, b string) string {
	x, y := strings.SplitAfter(a, "\n"), strings.SplitAfter(b, "\n")
	// common[i][j] is the length of the longest common subsequence of x[i:] and y[j:].
	common := make([][]int, len(x)+1)
	for i := range common {
		common[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out strings.Builder
	write := func(mark, line string) {
		if line != "" { // what follows the last newline
			out.WriteString(mark + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			write("  ", x[i])
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || common[i+1][j] >= common[i][j+1]):
			write("- ", x[i])
			i++
		default:
			write("+ ", y[j])
			j++
		}
	}
	return out.String()
}
