package player

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

//go:embed page.tmpl player.tmpl player.css player.js
var files embed.FS

var templates = template.Must(template.New("page.tmpl").Funcs(template.FuncMap{
	"percent": func(p float32) string { return fixed(100*float64(p), 1) },
	"join":    strings.Join,
	"cost":    func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) },
}).ParseFS(files, "page.tmpl", "player.tmpl"))

// Candidates is how many candidates of each step a page shows, so that long tours fit: see explain.Explanation.Trim.
const Candidates = 7

// colours is how many programs have a colour of their own, by the decisions they led. The others are grey.
const colours = 8

// HTML writes a page with a player for each explanation. The page holds all that the explanations hold: trim them
// first (explain.Explanation.Trim).
func HTML(w io.Writer, all []explain.Explanation) error {
	assets, err := LoadAssets()
	if err != nil {
		return err
	}
	page := struct {
		Title string
		Assets
		Players []template.HTML
	}{Title: "Why this tour", Assets: assets}
	if len(all) > 0 {
		page.Title = "Why this tour: " + all[0].Instance.Name
	}
	for i := range all {
		section, err := Section("player-"+strconv.Itoa(i), &all[i])
		if err != nil {
			return err
		}
		page.Players = append(page.Players, section)
	}
	if err := templates.ExecuteTemplate(w, "page.tmpl", page); err != nil {
		return fmt.Errorf("player: %w", err)
	}
	return nil
}

// Assets are the style and the script that a page needs once, however many players it has.
type Assets struct {
	Style  template.CSS
	Script template.JS
}

// LoadAssets returns the style and the script of players.
func LoadAssets() (Assets, error) {
	style, err := files.ReadFile("player.css")
	if err != nil {
		return Assets{}, fmt.Errorf("player: %w", err)
	}
	script, err := files.ReadFile("player.js")
	if err != nil {
		return Assets{}, fmt.Errorf("player: %w", err)
	}
	return Assets{template.CSS(style), template.JS(script)}, nil
}

// Section returns one player as a part of a page, which must have the assets. The id is its own on that page.
func Section(id string, e *explain.Explanation) (template.HTML, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return "", fmt.Errorf("player: %w", err)
	}
	v := view{ID: id, Explanation: e, Summary: e.Summary(), Data: template.JS(data)}
	v.Colours = colourOf(v.Summary.Leaders)
	for _, p := range e.Student.Programs {
		checked, err := compile.Check(p.Source)
		if err != nil {
			return "", fmt.Errorf("player: program %s: %w", p.Name, err)
		}
		v.Called = append(v.Called, checked.Called())
	}
	v.draw()
	v.tabulate()
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, "player.tmpl", v); err != nil {
		return "", fmt.Errorf("player: %w", err)
	}
	return template.HTML(b.String()), nil
}

// view is the input of player.tmpl.
type view struct {
	ID string
	*explain.Explanation
	Summary explain.Summary
	Data    template.JS          // Explanation as JSON
	Colours []string             // [M] class of each program
	Called  [][]compile.Function // [M] functions of the SDK that each program reaches
	Edges   []edge
	Nodes   []node
	Rows    []row
	Radius  string // of a node
}

// edge is a way from one node to the next, in the square [0,100]² with y downwards.
type edge struct {
	X1, Y1, X2, Y2 string
	Arrow          string // path of a head at the middle
	Step           int    // that decided it; -1 for the edge that closes a tour
	Class          string
	Tied           string // class of the second program where the leader is not ahead by a point, else ""
}

type node struct {
	Index int
	X, Y  string
	Label string
	Depot bool
}

// row is a step of the static table.
type row struct {
	*explain.Step
	Index                 int // in Steps
	From, To              string
	Class, Leader, Second string
	Ahead, Teacher        string
}

// colourOf gives a class to each program: a colour of its own to those that led most decisions, grey to the rest.
func colourOf(led []int) []string {
	order := make([]int, len(led))
	for m := range order {
		order[m] = m
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(led[b], led[a]) })
	class := make([]string, len(led))
	for rank, m := range order {
		if class[m] = "other"; rank < colours {
			class[m] = "h" + strconv.Itoa(rank)
		}
	}
	return class
}

func fixed(v float64, decimals int) string { return strconv.FormatFloat(v, 'f', decimals, 64) }
