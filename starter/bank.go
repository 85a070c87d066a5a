package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/textreport"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// bankNames explains in a command's help how to name a bank.
const bankNames = "\n\nA bank is a folder, builtin:NAME for one that ships with EPB, or run:ID for that of a " +
	"finished run; epb bank list lists them."

func bankCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bank",
		Short: "Read, compare, edit and check banks of heuristics",
		Long: `Read, compare, edit and check banks of heuristics. A bank is a folder of small Go programs, one per
heuristic, whose doc comments are their descriptions. Banks that ship with EPB are called builtin:NAME, those of
finished runs run:ID.

To edit a bank by hand: epb bank import BANK --out mine, change a file, epb bank check mine --against BANK.`,
	}
	cmd.AddCommand(bankListCommand(), bankShowCommand(), bankDiffCommand(), bankImportCommand(), bankNewCommand(),
		bankCheckCommand())
	return cmd
}

func bankShowCommand() *cobra.Command {
	var code, asJSON bool
	cmd := &cobra.Command{
		Use:   "show [BANK]",
		Short: "Print a bank: every heuristic with its description, lineage, weights and, with --code, its program",
		Long: "Print a bank, that of the latest finished run by default. If it is the folder of a student whose " +
			"router has named features, what that attends to follows in words, and with --code as Go. Beside each " +
			"program stand its score as a formula, where that is a sum of measures of the SDK (epb sdk), its class, " +
			"how its work on a state grows with the number K of candidates, and its lines and syntax nodes with all " +
			"that it calls; how long it takes over a state is what epb bank check measures." + bankNames,
		Example: `  epb bank show builtin:pomo-tsp50
  epb bank show --code mine`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, model, err := locate.Argument(args).Mixture(cmd.Context())
			if err != nil {
				return err
			}
			weights, err := b.Weights()
			if err != nil {
				return err
			}
			natures, err := b.Natures()
			if err != nil {
				return err
			}
			formulas, err := b.Formulas()
			if err != nil {
				return err
			}
			router, err := routerOf(model, b)
			if err != nil {
				return err
			}
			if asJSON {
				return bankJSON(cmd.OutOrStdout(), b, weights, natures, formulas, router)
			}
			return printText(cmd.OutOrStdout(), func(w io.Writer) {
				printBank(w, b, weights, natures, formulas, code)
				router.print(w, code)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the programs, and with the router of a student")
	cmd.Flags().BoolVar(&code, "code", false, "print the programs too")
	return cmd
}

// printText prints what show writes with unsafe characters escaped: programs and descriptions may come from anywhere.
func printText(w io.Writer, show func(io.Writer)) error {
	var text strings.Builder
	show(&text)
	_, err := io.WriteString(w, terminal.Text(text.String()))
	return err
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

func printBank(
	w io.Writer, b *bank.Bank, weights map[string][]compile.Weight, natures map[string]bank.Nature,
	formulas map[string]string, code bool,
) {
	fmt.Fprintf(w, "%d heuristics for %s, %s view", len(b.Heuristics), b.Problem, b.View)
	if b.Teacher != "" {
		fmt.Fprintf(w, ", teacher %s", terminal.Line(b.Teacher))
	}
	fmt.Fprintln(w)
	for m, h := range b.Heuristics {
		fmt.Fprintf(w, "\n%s %s  (τ_h %.3g, %s)\n", bank.Label(m), h.Name, h.TauH, terminal.Line(h.Lineage.String()))
		fmt.Fprintf(w, "    %s\n", indent(h.Description))
		if formula := formulas[h.Name]; formula != "" {
			fmt.Fprintf(w, "    %s\n", formula)
		}
		n := natures[h.Name]
		fmt.Fprintf(w, "    %s\n", n)
		if n.Why != "" {
			fmt.Fprintf(w, "    %s\n", n.Why)
		}
		var table terminal.Table
		weightRows(&table, []string{"   "}, weights[h.Name])
		table.Fprint(w)
		if code {
			fmt.Fprintf(w, "\n%s\n", h.Source)
		}
	}
}
