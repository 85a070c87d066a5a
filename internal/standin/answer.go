package standin

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Answer returns the reply to the two messages of a prompt of package textgrad. It fails on any other prompt.
func Answer(system, user string) (string, error) {
	p := parse(user)
	m := sdkLine.FindStringSubmatch(system)
	if m == nil {
		return "", fmt.Errorf("a prompt of task %q that names no SDK: the stand-in answers the prompts of EPB only",
			p.task)
	}
	c := crafts[m[1]]
	if c == nil {
		return "", fmt.Errorf("the stand-in has no rules for programs of SDK %s: use a language model", m[1])
	}
	switch p.task {
	case "BACKWARD CODE":
		if len(p.failures) == 1 {
			return c.backward(p.failures[0]), nil
		}
	case "BACKWARD DESCRIPTION":
		if len(p.failures) == 1 {
			return c.backwardDescription(p.failures[0]), nil
		}
	case "STEP":
		if p.program != "" {
			return tagged("new_program", c.step(p)), nil
		}
	case "STEP DESCRIPTION":
		if p.description != "" {
			return tagged("description", c.stepDescription(p)), nil
		}
	case "DESCRIBE":
		if p.program != "" {
			return tagged("description", describe(p.program)), nil
		}
	case "IMPLEMENT":
		if p.description != "" {
			return tagged("new_program", c.implement(p.description)), nil
		}
	case "PROPOSE":
		if len(p.failures) > 0 {
			return c.propose(p), nil
		}
	case "REPAIR":
		// The stand-in's own programs compile, so its edit of another program is wrong: it starts over from a simple
		// rule.
		return tagged("new_program", c.write(c.catalogue[p.attempt%len(c.catalogue)], 0)), nil
	default:
		return "", fmt.Errorf("the stand-in knows no task %q: it answers the prompts of EPB only", p.task)
	}
	return "", fmt.Errorf("a prompt of task %s without its sections", p.task)
}

func tagged(tag, text string) string {
	return "<" + tag + ">\n" + strings.TrimSpace(text) + "\n</" + tag + ">\n"
}

// sdkLine matches the line of a prompt that names the SDK of its programs.
var sdkLine = regexp.MustCompile(`against package (\w+) of our SDK`)

// why returns the largest cause of a failure.
func (c *craft) why(f failure) cause {
	return slices.MaxFunc(c.causes, func(a, b cause) int { return cmp.Compare(a.size(f), b.size(f)) })
}

func (c *craft) backward(f failure) string {
	w := c.why(f)
	return fmt.Sprintf("%s\nFLAW: the score does not see %s\nDIRECTION: %s\n", c.compare(f), w.missing, w.wants)
}

func (c *craft) backwardDescription(f failure) string {
	w := c.why(f)
	return fmt.Sprintf("MISSING: %s\nMISLEADING: nothing\nDIRECTION: %s\n", w.missing, w.wants)
}

// wanted returns the names of the causes that the directions ask for, the most frequent first.
func (c *craft) wanted(directions []string) []string {
	count := make([]int, len(c.causes))
	order := make([]int, len(c.causes))
	for i, w := range c.causes {
		order[i] = i
		for _, d := range directions {
			if strings.Contains(d, w.wants) {
				count[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(count[b], count[a]) })
	var names []string
	for _, i := range order {
		if count[i] > 0 {
			names = append(names, c.causes[i].name)
		}
	}
	return names
}

// stepDescription replies with a strategy of the catalogue that acts on the failures described.
func (c *craft) stepDescription(p prompt) string {
	for _, name := range c.wanted(p.directions) {
		s := c.strategyFor(name, p.attempt)
		if !s.describes(p.description) {
			return describe(c.write(s, 0))
		}
	}
	return describe(c.write(c.catalogue[(p.attempt-1)%len(c.catalogue)], 0))
}

// implement replies with the program of the catalogue whose description shares most words with the one given.
func (c *craft) implement(description string) string {
	words := strings.Fields(strings.ToLower(description))
	best, most := 0, -1.0
	for i, s := range c.catalogue {
		shared := 0.0
		for _, word := range strings.Fields(strings.ToLower(describe(c.write(s, 0)))) {
			if len(word) > 3 && slices.Contains(words, word) {
				shared++
			}
		}
		if s.describes(description) {
			shared += 100
		}
		if shared > most {
			best, most = i, shared
		}
	}
	return c.write(c.catalogue[best], 0)
}
