package teacher

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/routing"
)

// Args holds the fields of an args.json, which attention-learn-to-route writes beside a model. Missing fields are nil
// or empty.
type Args struct {
	Problem       string   `json:"problem"` // older files add the distribution, as in op_const
	GraphSize     int      `json:"graph_size"`
	Model         string   `json:"model"`
	Normalization string   `json:"normalization"`
	TanhClipping  *float64 `json:"tanh_clipping"`
	Dim           *int     `json:"embedding_dim"`
	Heads         *int     `json:"n_heads"`
	Layers        *int     `json:"n_encode_layers"`
}

func readArgs(data []byte) (*Args, error) {
	var a Args
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("want the JSON that training wrote: %.200w", err)
	}
	return &a, nil
}

func (a *Args) problem() routing.Problem {
	problem, _, _ := strings.Cut(a.Problem, "_")
	return routing.Problem(problem)
}

// supported returns an error if the args describe a model that EPB cannot run, even if its weights look right.
func (a *Args) supported() error {
	switch p := a.problem(); {
	case p != "" && !slices.Contains(taught(), p):
		return fmt.Errorf("the checkpoint solves %.80s: EPB knows %s", strings.ToUpper(string(p)), inWords(taught()))
	case a.Model != "" && a.Model != "attention":
		return fmt.Errorf("model is %.80q: EPB knows the attention model alone", a.Model)
	case a.Normalization != "" && a.Normalization != "batch":
		return fmt.Errorf("normalization is %.80q: EPB knows the attention model with batch alone", a.Normalization)
	case a.TanhClipping != nil && *a.TanhClipping != amClip:
		return fmt.Errorf("tanh_clipping is %v: EPB knows the attention model with %v alone", *a.TanhClipping, amClip)
	}
	return nil
}

// inWords lists problems: "TSP and CVRP".
func inWords(names []routing.Problem) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = strings.ToUpper(string(name))
	}
	return strings.Join(words, " and ")
}

// describes returns an error if the args belong to another checkpoint than t's. The error names the difference.
func (a *Args) describes(t Teacher) error {
	if p := a.problem(); p != "" && p != t.info.Problem {
		return fmt.Errorf("problem is %s, but the weights beside it are those of %s", p, t.info.Problem)
	}
	for _, n := range []struct {
		name  string
		said  *int
		found int
	}{
		{"embedding_dim", a.Dim, t.info.Dim},
		{"n_heads", a.Heads, t.info.Heads},
		{"n_encode_layers", a.Layers, t.info.Layers},
	} {
		if n.said != nil && *n.said != n.found {
			return fmt.Errorf("%s is %d, but the weights beside it have %d", n.name, *n.said, n.found)
		}
	}
	return nil
}
