package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/locate"
)

func bankDiffCommand() *cobra.Command {
	var brief, asJSON bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what differs between two banks",
		Long: `Say what turns one bank into another: programs added, removed, rewritten or renamed, with their
descriptions and, line by line, their code. Programs of one name belong together.` + bankNames,
		Example: `  epb bank diff builtin:tsp-starter run:tsp20-20260101-120000
  epb bank diff run:tsp20-20260101-120000 mine`,
		Args: arguments(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			old, err := locate.Of(args[0]).Bank(cmd.Context())
			if err != nil {
				return err
			}
			new, err := locate.Of(args[1]).Bank(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), append([]bank.Change{}, bank.Diff(old, new)...))
			}
			return printText(cmd.OutOrStdout(), func(w io.Writer) { printDiff(w, old, new, brief) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: a list of changes with both programs")
	cmd.Flags().BoolVar(&brief, "brief", false, "names and descriptions only, no code")
	exclusive(cmd, "json", "brief")
	return cmd
}

func printDiff(w io.Writer, old, new *bank.Bank, brief bool) {
	if old.Problem != new.Problem || old.View != new.View {
		fmt.Fprintf(w, "%s, %s view → %s, %s view\n", old.Problem, old.View, new.Problem, new.View)
	}
	changes := bank.Diff(old, new)
	fmt.Fprintf(w, "%d programs → %d programs, %d changes\n", len(old.Heuristics), len(new.Heuristics), len(changes))
	for _, c := range changes {
		h := c.New
		if h == nil {
			h = c.Old
		}
		fmt.Fprintf(w, "\n%s %s%s\n", c.Kind, h.Name, detail(c))
		fmt.Fprintf(w, "    %s\n", indent(h.Description))
		if lines := codeOf(c); lines != "" && !brief {
			fmt.Fprintf(w, "\n%s", lines)
		}
		if c.Kind == bank.Described {
			fmt.Fprintf(w, "  was\n    %s\n", indent(c.Old.Description))
		}
	}
}

// codeOf returns the code that a change adds or takes away, line by line, "" where it changes none.
func codeOf(c bank.Change) string {
	switch {
	case c.Old == nil:
		return bank.Lines("", c.New.Source)
	case c.New == nil:
		return bank.Lines(c.Old.Source, "")
	case c.Kind == bank.Rewritten:
		return bank.Lines(c.Old.Source, c.New.Source)
	}
	return ""
}

// detail describes a change beyond its kind and name.
func detail(c bank.Change) string {
	if c.Old == nil || c.New == nil {
		return ""
	}
	var s string
	if c.Old.Name != c.New.Name {
		s += " from " + c.Old.Name
	}
	if c.Old.TauH != c.New.TauH {
		s += fmt.Sprintf(" (τ_h %.3g → %.3g)", c.Old.TauH, c.New.TauH)
	}
	return s
}

// indent indents all lines of a text but the first by four columns.
func indent(text string) string { return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") }
