package main

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// completion returns the values that begin with what was typed so far, each with a description behind a tab.
type completion func(ctx context.Context) []cobra.Completion

// Values of arguments, by their names in a command's usage line.
var completedArguments = map[string]completion{
	"RUN": runIDs, "STUDENT": runIDs, "BANK": bankNamesOf, "OLD": bankNamesOf, "NEW": bankNamesOf, "ROLE": roles,
	"FUNCTION": functionNames,
}

// Values of flags, by name.
var completedFlags = map[string]completion{
	"bank": bankNamesOf, "against": bankNamesOf, "preset": presetNames, "decode": decodeModes, "student": runIDs,
	"class": classNames, "problem": problemNames,
}

// addCompletions lets the shell complete runs, banks, presets, modes and roles in all commands below cmd. Files are
// completed too wherever a bank or a student may be a folder.
func addCompletions(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		addCompletions(c)
		_, usage, _ := strings.Cut(c.Use, " ")
		if i := argumentName.FindStringIndex(usage); i != nil && c.ValidArgs == nil && !strings.HasPrefix(usage, "-") {
			if values, ok := completedArguments[usage[i[0]:i[1]]]; ok {
				c.ValidArgsFunction = completing(values)
			}
		}
		for name, values := range completedFlags {
			if c.Flags().Lookup(name) != nil {
				_ = c.RegisterFlagCompletionFunc(name, completing(values)) // the flag exists, and has no other
			}
		}
	}
}

// argumentName finds the first argument of a usage line.
var argumentName = regexp.MustCompile(`[A-Z]+`)

// functionNames lists the functions of the SDK that shows most.
func functionNames(context.Context) (all []cobra.Completion) {
	for _, e := range analysis.Reference(sdk.Packages[0].Name) {
		all = append(all, cobra.CompletionWithDesc(e.Name, firstSentence(e)))
	}
	return all
}

func classNames(context.Context) (all []cobra.Completion) {
	for _, c := range sdk.Classes {
		all = append(all, string(c))
	}
	return all
}

func problemNames(context.Context) (all []cobra.Completion) {
	for _, p := range sdk.Packages {
		if !slices.Contains(all, string(p.Problem)) {
			all = append(all, string(p.Problem))
		}
	}
	return all
}

// completing returns what cobra asks for completions.
func completing(values completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		all := values(cmd.Context())
		return slices.DeleteFunc(all, func(v string) bool { return !strings.HasPrefix(v, typed) }),
			cobra.ShellCompDirectiveDefault
	}
}

// completionTime is how long a shell waits for the list of runs at most.
const completionTime = 2 * time.Second

// runIDs lists the newest runs, none where Temporal cannot be reached.
func runIDs(ctx context.Context) (all []cobra.Completion) {
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	r, err := locate.Temporal(ctx)
	if err != nil {
		return nil
	}
	defer r.Client.Close()
	list, _, err := r.List(ctx, 50)
	if err != nil {
		return nil
	}
	for _, l := range list {
		all = append(all, cobra.CompletionWithDesc(l.ID, l.Stands()))
	}
	return all
}

func bankNamesOf(ctx context.Context) (all []cobra.Completion) {
	for _, name := range bank.BuiltinNames() {
		all = append(all, locate.BuiltinPrefix+name)
	}
	for _, id := range runIDs(ctx) {
		all = append(all, locate.RunPrefix+id)
	}
	return all
}

func presetNames(context.Context) []cobra.Completion { return config.Presets() }

func decodeModes(context.Context) []cobra.Completion {
	return []cobra.Completion{
		cobra.CompletionWithDesc("greedy", "one solution"),
		cobra.CompletionWithDesc("multistart", "the best of the greedy ones from every first node or customer"),
		cobra.CompletionWithDesc("aug8", "multistart on the instance and its seven mirror images"),
		cobra.CompletionWithDesc("sample:", "the best of K solutions drawn"),
		cobra.CompletionWithDesc("rrc:", "T attempts to construct a random part anew"),
	}
}

func roles(context.Context) []cobra.Completion {
	return append(slices.Clone(config.Roles), "all")
}
