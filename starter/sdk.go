package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// sdkFlags are the flags of epb sdk.
type sdkFlags struct {
	problem, view, class string
	json                 bool
}

func sdkCommand() *cobra.Command {
	var f sdkFlags
	cmd := &cobra.Command{
		Use:   "sdk [FUNCTION]",
		Short: "List what a program may ask of a decision state, or show one function with its source",
		Long: `List the functions of the SDK that programs compile against: their classes, what they cost, their size
with all that they call, and what they return. With FUNCTION, show its comment and its source.

A program is in the highest class of what it calls: local looks at most one step past a candidate, lookahead a bounded
number of steps, plan drafts the rest. K is the number of candidates. A cost is that of asking about all of them.`,
		Example: `  epb sdk --class local
  epb sdk --problem cvrp --json
  epb sdk Crowd`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().StringVar(&f.problem, "problem", string(routing.TSP), "tsp or cvrp")
	cmd.Flags().StringVar(&f.view, "view", string(routing.Full), "what programs see of the instance: full or subgraph")
	cmd.Flags().StringVar(&f.class, "class", "", "list functions of this class alone: local, lookahead or plan")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f sdkFlags) run(w io.Writer, args []string) error {
	pkg, err := sdk.Find(routing.Problem(f.problem), routing.View(f.view))
	if err != nil {
		return fmt.Errorf("--problem, --view: %w", err)
	}
	if f.class != "" && !slices.Contains(sdk.Classes, sdk.Class(f.class)) {
		return fmt.Errorf("--class is %q, want local, lookahead or plan", f.class)
	}
	all := analysis.Reference(pkg.Name)
	if len(args) == 1 {
		if all, err = oneEntry(all, args[0], pkg.Name); err != nil {
			return err
		}
		if class := all[0].Class; f.class != "" && string(class) != f.class {
			return fmt.Errorf("--class %s: %s is of class %s", f.class, args[0], class)
		}
	}
	all = slices.DeleteFunc(all, func(e analysis.Entry) bool { return f.class != "" && string(e.Class) != f.class })
	switch {
	case f.json:
		return printJSON(w, all)
	case len(args) == 1:
		printEntry(w, all[0])
		return nil
	}
	table := terminal.Table{Gap: 2}
	table.Row("FUNCTION", "CLASS", "COST", "LINES", "WHAT IT RETURNS")
	for _, e := range all {
		table.Row(e.Name+parameters(e.Signature), string(e.Class), e.Cost, fmt.Sprint(e.Lines), firstSentence(e))
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%d functions of %s. epb sdk FUNCTION shows one.\n", len(all), pkg.Path())
	return err
}

// oneEntry returns the entry of a name. The error has the names that are like it.
func oneEntry(all []analysis.Entry, name, pkg string) ([]analysis.Entry, error) {
	var near []string
	// Where a program has several terms of a function, digits count them.
	bare := cmp.Or(strings.TrimRight(name, "0123456789"), name)
	for _, e := range all {
		if e.Name == name {
			return []analysis.Entry{e}, nil
		}
		if strings.Contains(strings.ToLower(e.Name), strings.ToLower(bare)) {
			near = append(near, e.Name)
		}
	}
	if len(near) > 0 {
		return nil, fmt.Errorf("the SDK of %s has no function %.80s: did you mean %s?", pkg, name,
			strings.Join(near, " or "))
	}
	return nil, fmt.Errorf("the SDK of %s has no function %.80s: epb sdk lists them", pkg, name)
}

func printEntry(w io.Writer, e analysis.Entry) {
	fmt.Fprintf(w, "%s\n\n%s\n\n", e.Signature, e.Doc)
	class := string(e.Class)
	if e.Why != "" {
		class += ": " + e.Why
	}
	if e.Plans {
		class += ". With a number of steps that is no constant of the program: plan"
	}
	fmt.Fprintf(w, "Class  %s\nCost   %s for all candidates\nSize   %d lines, %d nodes of syntax, with all that it "+
		"calls\n\n%s\n", class, e.Cost, e.Lines, e.Nodes, e.Text)
}

// parameters returns the parameters of a method as they are declared: "(k int, r float32)".
func parameters(signature string) string {
	_, rest, ok := strings.Cut(signature, ") ")
	if from := strings.Index(rest, "("); ok && from >= 0 {
		return rest[from : strings.Index(rest, ")")+1]
	}
	return ""
}

// firstSentence returns the first sentence of an entry's comment without its name: "how far candidate k is from First,
// in units".
func firstSentence(e analysis.Entry) string {
	text := strings.Join(strings.Fields(e.Doc), " ")
	text, _, _ = strings.Cut(text, ". ")
	text = strings.TrimPrefix(text, e.Name+" ")
	return strings.TrimSuffix(strings.TrimPrefix(text, "returns "), ".")
}
