package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
)

func bankListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the banks that ship with EPB and those of finished runs",
		Long: `List the banks that ship with EPB and, where a store can be reached, those of finished runs. The names in
the first column are what the other bank commands and the config's key bank accept. Programs are counted by class: local
ones score each candidate from the state, lookahead ones walk on from it for a few steps, plans draft the rest of the
solution. Lines, syntax nodes and cost are the least and the most of a program of the bank, with all that it calls; cost
is how its work on a state grows with the number K of candidates. How long a program takes over a state is what
epb bank check measures.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("epb bank list takes no argument; to print a bank: epb bank show %s", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := builtinBanks()
			if err != nil {
				return err
			}
			finished, away := runBanks(cmd.Context())
			if away != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "Runs are not listed: %v\n", away)
			}
			list = append(list, finished...)
			if asJSON {
				return printJSON(cmd.OutOrStdout(), list)
			}
			return printBanks(cmd.OutOrStdout(), list)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// listedBank is a bank as epb bank list shows it.
type listedBank struct {
	Name     string          `json:"name"` // as commands and configs accept it
	Programs int             `json:"programs"`
	Problem  routing.Problem `json:"problem,omitempty"`
	View     routing.View    `json:"view,omitempty"`
	Classes  string          `json:"classes,omitempty"` // how many programs each class has
	Extent   *bank.Extent    `json:"extent,omitempty"`  // unfolded size and cost of its programs
	About    string          `json:"about,omitempty"`   // what it is for; of a run's bank, what came of it
}

// builtinBanks lists the banks that ship with EPB.
func builtinBanks() (list []listedBank, err error) {
	for _, name := range bank.BuiltinNames() {
		b, err := bank.Builtin(name)
		if err != nil {
			return nil, err
		}
		about, err := bank.BuiltinAbout(name)
		if err != nil {
			return nil, err
		}
		of, err := listed(locate.BuiltinPrefix+name, b, about)
		if err != nil {
			return nil, err
		}
		list = append(list, of)
	}
	return list, nil
}

// listed returns what is listed of a bank.
func listed(name string, b *bank.Bank, about string) (listedBank, error) {
	natures, err := b.Natures()
	if err != nil {
		return listedBank{}, fmt.Errorf("%s: %w", name, err)
	}
	extent := natures.Extent()
	return listedBank{
		Name: name, Programs: len(b.Heuristics), Problem: b.Problem, View: b.View, Classes: natures.Classes(),
		Extent: &extent, About: about,
	}, nil
}

// runBanks lists the banks of the finished runs in the store.
func runBanks(ctx context.Context) (list []listedBank, err error) {
	s, err := locate.Store(ctx)
	if err != nil {
		return nil, err
	}
	finished, err := results.List(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, r := range finished {
		of, err := listedRun(ctx, r)
		if err != nil { // such as a program of an earlier SDK
			of = listedBank{
				Name: locate.RunPrefix + r.ID, Programs: r.Model.Size,
				About: fmt.Sprintf("%s (not read: %v)", r.Summary, err),
			}
		}
		list = append(list, of)
	}
	return list, nil
}

// listedRun returns what is listed of a run's bank.
func listedRun(ctx context.Context, r results.Result) (listedBank, error) {
	b, err := r.Bank(ctx)
	if err != nil {
		return listedBank{}, err
	}
	return listed(locate.RunPrefix+r.ID, b, r.Summary)
}

func printBanks(w io.Writer, banks []listedBank) error {
	table, abouts := terminal.Table{Gap: 2}, terminal.Table{}
	table.Row("bank", "", "", "classes", "lines", "nodes", "cost")
	for _, b := range banks {
		cells := []string{b.Name, fmt.Sprintf("%d programs", b.Programs)}
		if e := b.Extent; e != nil {
			cells = append(cells, fmt.Sprintf("%s, %s view", b.Problem, b.View), b.Classes,
				span(strconv.Itoa(e.Lines[0]), strconv.Itoa(e.Lines[1])),
				span(strconv.Itoa(e.Nodes[0]), strconv.Itoa(e.Nodes[1])), span(e.Cost[0], e.Cost[1]))
		}
		table.Row(cells...)
		if b.About != "" {
			abouts.Row(b.Name, b.About)
		}
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return abouts.Fprint(w)
}

// span says from where to where something goes: "7–81", or "7" where both ends are one.
func span(from, to string) string {
	if from == to {
		return from
	}
	return from + "–" + to
}
