package standin

import (
	"slices"
	"text/template"
)

// craft holds the stand-in's rules for one problem and view.
type craft struct {
	sdk       string             // the package its programs are written for
	programs  *template.Template // the catalogue's, by name
	catalogue []strategy
	causes    []cause
	rules     map[string][]string // for each cause the strategies that act on it, one for each attempt
	terms     map[string]term
	serves    map[string][]string    // for each cause the terms that act on it, the best first
	usual     []string               // terms that often help
	compare   func(f failure) string // LOGIC and TEACHER of a diagnosis
}

// crafts holds the stand-in's rules for each problem and view, by SDK.
var crafts = map[string]*craft{tsp.sdk: tsp, subtsp.sdk: subtsp, cvrp.sdk: cvrp, subcvrp.sdk: subcvrp}

// cause is a difference between the teacher's choice and the program's choice that a rule can act on.
type cause struct {
	name    string
	missing string // what the program overlooks
	wants   string // the direction that asks for it, by which step finds it
	size    func(f failure) float64
}

// strategyFor returns a strategy that acts on a cause, another one for each attempt.
func (c *craft) strategyFor(cause string, attempt int) strategy {
	names := c.rules[cause]
	return c.only(names[(attempt-1)%len(names)])[0]
}

// only returns the strategies of these names.
func (c *craft) only(names ...string) []strategy {
	var found []strategy
	for _, name := range names {
		at := slices.IndexFunc(c.catalogue, func(s strategy) bool { return s.name == name })
		found = append(found, c.catalogue[at])
	}
	return found
}
