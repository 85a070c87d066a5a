package sketch

import (
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
	"github.com/epb-nco/epb/wasm-heuristics/source"
)

// Write writes fitted programs as a bank: each a sum of named features with named weights, in the units of the SDK.
// τ_h is 1. What is written is rounded, so the bank is not quite what was fitted. class is that of the features.
func Write(programs [][]Term, setting bank.Setting, class sdk.Class) (*bank.Bank, error) {
	set, ok := features.Of(setting.Problem, setting.View, class)
	pkg, err := setting.Package()
	if err != nil || !ok {
		return nil, fmt.Errorf("sketch: there are no named features for %s with the %s view", setting.Problem,
			setting.View)
	}
	b := &bank.Bank{Setting: setting}
	for _, terms := range programs {
		name := bank.FreeName(programName(terms, set), b.Has)
		code := sourceOf(name, pkg.Name, pkg.Path(), terms, set)
		h, err := bank.New(name, code, bank.Lineage{Origin: bank.OriginSketch})
		if err != nil {
			return nil, fmt.Errorf("sketch: %w", err)
		}
		h.TauH = 1
		if b, err = b.With(h); err != nil {
			return nil, fmt.Errorf("sketch: %w", err)
		}
	}
	return b, nil
}

// programName names a program after its two heaviest terms beside the distance.
func programName(terms []Term, set *features.Set) string {
	if len(terms) == 1 {
		return set.Node[terms[0].Feature].Name
	}
	var parts []string
	for _, t := range terms[1:min(len(terms), 3)] {
		name := set.Node[t.Feature].Name
		if t.Weight < 0 {
			name = "low_" + name
		}
		parts = append(parts, name)
	}
	return strings.Join(parts, "_")
}

// sourceOf writes one program.
func sourceOf(name, pkg, path string, terms []Term, set *features.Set) string {
	var consts, sum strings.Builder
	var liked, disliked []string
	for i, t := range terms {
		f := set.Node[t.Feature]
		weight := f.GoName()
		fmt.Fprintf(&consts, "\t%s = %s // of %s\n", weight, heuristic.Literal(heuristic.Round(t.Weight)), f.Says)
		if i > 0 {
			sum.WriteString(" +\n\t\t\t")
		}
		fmt.Fprintf(&sum, "%s*%s", weight, f.Call)
		if t.Weight > 0 {
			liked = append(liked, f.Says)
		} else {
			disliked = append(disliked, f.Says)
		}
	}
	doc := source.Comment("Score adds up what speaks for a candidate and against it. " + sentence("For it", liked) +
		sentence("Against it", disliked))
	return fmt.Sprintf(`package %s

import %q

// The weights of the terms.
const (
%s)

%s
func Score(s *%s.State, score []float32) {
	for k := range s.Candidates {
		score[k] = %s
	}
}
`, name, path, consts.String(), doc, pkg, sum.String())
}

// sentence lists what counts for or against a candidate, "" where there is nothing.
func sentence(what string, says []string) string {
	if len(says) == 0 {
		return ""
	}
	return what + ": " + strings.Join(says, "; ") + ". "
}
