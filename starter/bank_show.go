package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/textreport"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

func bankShowCommand() *cobra.Command {
	var code, asJSON bool
	cmd := &cobra.Command{
		Use:   "show [BANK]",
		Short: "Print a bank: every heuristic with its description, lineage, weights and, with --code, its program",
		Long: `Print a bank, that of the latest finished run by default. If it is the folder of a student whose router
has named features, what that attends to follows in words, and with --code as Go. Beside each program stand its score
as a formula, where that is a sum of measures of the SDK (epb sdk), its class, how its work on a state grows with the
number K of candidates, and its lines and syntax nodes with all that it calls; how long it takes over a state is what
epb bank check measures.` + bankNames,
		Example: `  epb bank show builtin:pomo-tsp50
  epb bank show --code mine`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, model, err := locate.Argument(args).Mixture(cmd.Context())
			if err != nil {
				return err
			}
			shown, err := shownOf(b, model)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), shown.inJSON())
			}
			return printText(cmd.OutOrStdout(), func(w io.Writer) { shown.print(w, code) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the programs, and with the router of a student")
	cmd.Flags().BoolVar(&code, "code", false, "print the programs too")
	return cmd
}

// shownBank is a bank as epb bank show shows it: with what its sources tell, by the names of programs, and the router
// that mixes them.
type shownBank struct {
	*bank.Bank
	weights  map[string][]heuristic.Weight
	natures  map[string]bank.Nature
	formulas map[string]string
	router   shownRouter
}

// shownOf reads what is shown of a bank, and of the router in model, unless that is nil.
func shownOf(b *bank.Bank, model *student.Model) (s shownBank, err error) {
	s.Bank = b
	if s.weights, err = b.Weights(); err != nil {
		return s, err
	}
	if s.natures, err = b.Natures(); err != nil {
		return s, err
	}
	if s.formulas, err = b.Formulas(); err != nil {
		return s, err
	}
	s.router, err = routerOf(model, b)
	return s, err
}

// print prints the bank for a reader, with code the programs and the router as Go, too.
func (s shownBank) print(w io.Writer, code bool) {
	programs := "programs"
	if len(s.Heuristics) == 1 {
		programs = "program"
	}
	fmt.Fprintf(w, "%d %s for %s, %s view", len(s.Heuristics), programs, s.Problem, s.View)
	if s.Teacher != "" {
		fmt.Fprintf(w, ", teacher %s", terminal.Line(s.Teacher))
	}
	fmt.Fprintln(w)
	for m, h := range s.Heuristics {
		fmt.Fprintf(w, "\n%s %s  (τ_h %.3g, %s)\n", bank.Label(m), h.Name, h.TauH, terminal.Line(h.Lineage.String()))
		fmt.Fprintf(w, "    %s\n", indent(h.Description))
		if formula := s.formulas[h.Name]; formula != "" {
			fmt.Fprintf(w, "    %s\n", formula)
		}
		n := s.natures[h.Name]
		fmt.Fprintf(w, "    %s\n", n)
		if n.Why != "" {
			fmt.Fprintf(w, "    %s\n", n.Why)
		}
		var table terminal.Table
		weightRows(&table, []string{"   "}, s.weights[h.Name])
		table.Fprint(w)
		if code {
			fmt.Fprintf(w, "\n%s\n", h.Source)
		}
	}
	s.router.print(w, code)
}

// jsonHeuristic is a heuristic with its weights, its formula and its nature, for JSON.
type jsonHeuristic struct {
	bank.Heuristic
	Weights []heuristic.Weight `json:"weights,omitempty"`
	Formula string             `json:"formula,omitempty"`
	Nature  bank.Nature        `json:"nature"`
}

// inJSON returns what is printed as JSON: the bank as it is stored, each program with what its source tells, and the
// router that goes with it.
func (s shownBank) inJSON() any {
	out := struct {
		bank.Setting
		Teacher    string          `json:"teacher,omitempty"`
		Heuristics []jsonHeuristic `json:"heuristics"`
		shownRouter
	}{Setting: s.Setting, Teacher: s.Teacher, shownRouter: s.router}
	for _, h := range s.Heuristics {
		with := jsonHeuristic{h, s.weights[h.Name], s.formulas[h.Name], s.natures[h.Name]}
		out.Heuristics = append(out.Heuristics, with)
	}
	return out
}

// shownRouter is a router that can be read: in words and as Go, each where there is such a form.
type shownRouter struct {
	Words  *readable.Description `json:"router,omitempty"`
	Source string                `json:"router_source,omitempty"`
}

// routerOf returns the router of a bank. It is empty where there is none that can be read: where model is nil, and of
// attention.
func routerOf(model *student.Model, b *bank.Bank) (r shownRouter, err error) {
	if model == nil {
		return r, nil
	}
	r.Words = readable.Of(model, b)
	r.Source, _, err = readable.Source(model, b)
	return r, err
}

// print prints the router in words, and with code as Go.
func (r shownRouter) print(w io.Writer, code bool) {
	if r.Words != nil {
		fmt.Fprintln(w)
		textreport.Router(w, *r.Words, shownWords)
	}
	if code && r.Source != "" {
		fmt.Fprintf(w, "\n%s\n", r.Source)
	}
}
