package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/epb-nco/epb/internal/config"
)

// once makes a command and those below it refuse a flag with one value that is given twice. Cobra takes the last value.
func once(cmd *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if _, many := f.Value.(pflag.SliceValue); !many && f.Value.Type() != "bool" {
				f.Value = onceValue{f.Value, f}
				if f.DefValue == "0s" { // pflag's help leaves out a zero, but knows only its own values of time
					f.DefValue = "0"
				}
			}
		})
	}
	for _, c := range cmd.Commands() {
		once(c)
	}
}

// onceValue is the value of a flag that may be given once.
type onceValue struct {
	pflag.Value
	flag *pflag.Flag
}

var errTwice = errors.New("given twice")

// Set implements pflag.Value.
func (v onceValue) Set(value string) error {
	if v.flag.Changed {
		return errTwice
	}
	return v.Value.Set(value)
}

// configSource is where a command gets the config of a run from.
type configSource struct {
	file, preset string
	sets         []string
}

// flags adds --config, --preset and --set.
func (c *configSource) flags(f *pflag.FlagSet) {
	f.StringVarP(&c.file, "config", "c", "", "YAML or JSON `file`; keys it leaves out keep their defaults")
	f.StringVar(&c.preset, "preset", "", "start from the settings of the paper's `run`: "+
		strings.Join(config.Presets(), ", "))
	f.StringArrayVar(&c.sets, "set", nil, "change one `key=value` of the config, as in train.lr=1e-4; repeatable")
}

func (c *configSource) read() (config.Distill, error) { return config.Read(c.file, c.preset, c.sets) }

// require refuses the command without these flags. It panics if the command has no such flag.
func require(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err)
		}
	}
}

// seedFlag adds a flag for a seed. It has 32 bits, as the other half of what a generator starts from says which of a
// command's streams it draws: with more, two seeds could share instances.
func seedFlag(flags *pflag.FlagSet, seed *uint64, name string, value uint64, usage string) {
	*seed = value
	flags.Var((*seedValue)(seed), name, usage)
}

type seedValue uint64

// Set implements pflag.Value.
func (v *seedValue) Set(value string) error {
	seed, err := strconv.ParseUint(value, 0, 32)
	*v = seedValue(seed)
	return err
}

// String implements pflag.Value.
func (v *seedValue) String() string { return strconv.FormatUint(uint64(*v), 10) }

// Type implements pflag.Value.
func (v *seedValue) Type() string { return "uint" }

// arguments returns a check that a command has from least to most arguments. It says what the command wants, in the
// words of its usage line.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case least <= len(args) && len(args) <= most:
			return nil
		case most == 0 && cmd.HasSubCommands():
			return runGroup(cmd, args)
		case most == 0:
			return fmt.Errorf("%s takes no argument; got %s", cmd.CommandPath(), strings.Join(args, " "))
		}
		got := fmt.Sprintf("%d arguments: %s", len(args), strings.Join(args, " "))
		switch len(args) {
		case 0:
			got = "no argument"
		case 1:
			got = "only " + args[0]
		}
		return fmt.Errorf("want %s; got %s", usageLine(cmd), got)
	}
}

// amongValid is a check that every argument of a command is one of its ValidArgs.
func amongValid(cmd *cobra.Command, args []string) error {
	for _, arg := range args {
		if !slices.Contains(cmd.ValidArgs, arg) {
			return fmt.Errorf("want %s, of %s; got %s", usageLine(cmd), strings.Join(cmd.ValidArgs, ", "), arg)
		}
	}
	return nil
}

// usageLine returns the usage line of a command.
func usageLine(cmd *cobra.Command) string {
	_, wanted, _ := strings.Cut(cmd.Use, " ")
	return cmd.CommandPath() + " " + wanted
}

// excludes is the annotation of a flag with the names of those that it excludes.
const excludes = "epb_excludes"

// exclusive refuses the command with both flags.
func exclusive(cmd *cobra.Command, one, other string) {
	cmd.MarkFlagsMutuallyExclusive(one, other) // for shells, which then complete one of them only
	f := cmd.Flags().Lookup(one)
	f.Annotations[excludes] = append(f.Annotations[excludes], other)
}

// flagsTogether refuses a command whose flags do not go together, before cobra does.
func flagsTogether(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			_, usage := pflag.UnquoteUsage(f)
			missing = append(missing, "--"+f.Name+" ("+usage+")")
		}
	})
	if len(missing) > 0 {
		return fmt.Errorf("want %s", strings.Join(missing, " and "))
	}
	if name := emptyFlag(cmd); name != "" {
		return fmt.Errorf("--%s is empty: give it a value, or leave it out; a variable of the shell may not be set",
			name)
	}
	var together error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, other := range f.Annotations[excludes] {
			if cmd.Flags().Changed(other) {
				together = fmt.Errorf("--%s and --%s exclude each other: leave one out", f.Name, other)
			}
		}
	})
	return together
}

// emptyFlag returns the name of a flag for a text or a list that was given without one, or "".
func emptyFlag(cmd *cobra.Command) (name string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		list, ok := f.Value.(pflag.SliceValue)
		if ok && len(list.GetSlice()) == 0 || f.Value.Type() == "string" && f.Value.String() == "" {
			name = f.Name
		}
	})
	return name
}

// flagError describes a mistake in a command's flags in the words of its user.
func flagError(cmd *cobra.Command, err error) error {
	// the flag is one of the command that was meant
	if args := cmd.Flags().Args(); cmd.HasSubCommands() && len(args) > 0 {
		return runGroup(cmd, args)
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		return fmt.Errorf("%w (%s --help lists the flags)", err, cmd.CommandPath())
	}
	var empty *pflag.ValueRequiredError
	if errors.As(err, &empty) {
		_, usage := pflag.UnquoteUsage(empty.GetFlag())
		return fmt.Errorf("--%s wants a value: %s", empty.GetFlag().Name, usage)
	}
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	if errors.Is(err, errTwice) {
		return fmt.Errorf("--%s is given twice, as %s and as %s: leave one out", wrong.GetFlag().Name,
			wrong.GetFlag().Value, wrong.GetValue())
	}
	want, ok := map[string]string{
		"uint": "a whole number from 0 to 4294967295", "int": "a whole number", "int32": "a whole number",
		"int64": "a whole number", "duration": "a time, such as 5s", "bool": "true or false",
		"float64":  "a number, such as 0.01",
		"intSlice": "whole numbers, such as 0,200,100", "uintSlice": "whole numbers from 0 on, such as 1,2,3",
	}[wrong.GetFlag().Value.Type()]
	if !ok {
		return err
	}
	return fmt.Errorf("--%s %s: want %s", wrong.GetFlag().Name, wrong.GetValue(), want)
}
