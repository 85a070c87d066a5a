package standin

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Answer returns the reply of the stand-in to the two messages of a prompt of package textgrad. It fails on any other
// prompt.
func Answer(system, user string) (string, error) { return parse(system, user).answer() }

// AnswerByLot returns the reply of the null writer.
func AnswerByLot(system, user string) (string, error) {
	h := fnv.New128a()
	fmt.Fprintf(h, "%q %q", system, user)
	seed := h.Sum(nil)
	return parse(system, user).drawn(rand.New(rand.NewChaCha8([32]byte(slices.Concat(seed, seed))))).answer()
}

// drawn returns the prompt as the null writer reads it: evidence on all measures, drawn by lot, and nothing else that
// could guide a choice. A wish is log-uniform between the smallest and the largest that change the first value of a
// weight.
func (p prompt) drawn(rng *rand.Rand) prompt {
	var drawn []signal
	for _, m := range p.everything() {
		want := 0.02 * math.Pow(10, rng.Float64())
		if rng.IntN(2) == 0 {
			want = -want
		}
		drawn = append(drawn, signal{m, want})
	}
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	for i := range p.failures {
		p.failures[i].contrasts, p.failures[i].weights = nil, nil
	}
	p.evidence, p.gradients, p.stages, p.right, p.turns, p.lots = drawn, nil, nil, 1, 0, rng
	return p
}

// answer returns the reply to the prompt.
func (p prompt) answer() (string, error) {
	if p.sdk == "" {
		return "", fmt.Errorf("a prompt of task %q that names no SDK: the stand-in answers the prompts of EPB only",
			p.task)
	}
	if _, ok := way[p.sdk]; !ok {
		return "", fmt.Errorf("the stand-in has no measures for programs of SDK %s: use a language model", p.sdk)
	}
	switch p.task {
	case "BACKWARD CODE":
		if len(p.failures) == 1 {
			return p.backward(), nil
		}
	case "BACKWARD DESCRIPTION":
		if len(p.failures) == 1 {
			return p.backwardDescription(), nil
		}
	case "STEP":
		if p.program != "" {
			return p.step(), nil
		}
	case "STEP DESCRIPTION":
		if p.description != "" {
			return tagged("description", p.stepDescription()), nil
		}
	case "DESCRIBE":
		if p.program != "" {
			return tagged("description", describe(p.program)), nil
		}
	case "IMPLEMENT":
		if p.description != "" {
			return tagged("new_program", p.implement()), nil
		}
	case "PROPOSE":
		if len(p.failures) > 0 {
			return p.propose(), nil
		}
	case "REPAIR":
		// The stand-in's own programs compile, so its edit of another program is wrong: it starts over from the way
		// there alone.
		return tagged("new_program", p.write(packageOf(p.program), nil)), nil
	default:
		return "", fmt.Errorf("the stand-in knows no task %q: it answers the prompts of EPB only", p.task)
	}
	return "", fmt.Errorf("a prompt of task %s without its sections", p.task)
}

func tagged(tag, text string) string {
	return "<" + tag + ">\n" + strings.TrimSpace(text) + "\n</" + tag + ">\n"
}

// byLot describes the strategies of the null writer.
const byLot = "Score prefers near places and adds measures that are drawn by lot."

// stepDescription replies with the way there and the measures that the diagnoses ask for, or with the description as it
// is where they ask for none by name.
func (p prompt) stepDescription() string {
	if p.lots != nil {
		return byLot
	}
	var terms []signal
	for _, g := range p.gradients {
		for _, w := range g.wants {
			at := slices.IndexFunc(terms, func(t signal) bool { return t.name == w.name })
			if at < 0 {
				terms = append(terms, w)
			} else {
				terms[at].want += w.want
			}
		}
	}
	slices.SortStableFunc(terms, func(a, b signal) int { return larger(a.want, b.want) })
	terms = p.choose(slices.DeleteFunc(terms, func(t signal) bool { return t.want == 0 }))
	if len(terms) == 0 {
		return p.description
	}
	if p.isInBank(terms) && len(terms) > 1 {
		terms = terms[:len(terms)-1]
	}
	return p.words(terms)
}

// implement writes the program of a description: of each sentence on a measure that the prompt lists its term. Of a
// description that another author wrote these may be none; the program is then the way there alone, and says so.
func (p prompt) implement() string {
	signals := p.evidence // the null writer's
	if p.lots == nil {
		signals = nil
		for _, m := range p.catalogue() {
			for _, want := range []float64{natsPerSpread, -natsPerSpread} {
				if s := (signal{m, want}); strings.Contains(p.description, s.sentence()) {
					signals = append(signals, s)
				}
			}
		}
		at := func(s signal) int { return strings.Index(p.description, s.sentence()) }
		slices.SortStableFunc(signals, func(a, b signal) int { return at(a) - at(b) })
	}
	return p.write(p.name, p.choose(signals))
}
