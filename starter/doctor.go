package main

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/doctor"
	"github.com/epb-nco/epb/internal/terminal"
)

var errSick = errors.New("something needed is missing or misconfigured")

func doctorCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is missing or misconfigured, and the command that mends it",
		Long: `doctor looks at everything a distillation needs: tools, limits, and the servers that the environment
(TEMPORAL_ADDRESS, EPB_S3_ENDPOINT, OPENAI_BASE_URL …) or the dev stack names. It changes nothing.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := doctor.Examine(cmd.Context(), dir)
			if asJSON {
				if err := printJSON(cmd.OutOrStdout(), findings); err != nil {
					return err
				}
			} else {
				printFindings(cmd.OutOrStdout(), findings)
			}
			for _, f := range findings {
				if !f.OK {
					return errSick
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dir, "dir", devstack.DefaultDir(), "folder of the dev stack")
	return cmd
}

func printFindings(w io.Writer, findings []doctor.Finding) {
	table := terminal.Table{Gap: 2}
	for _, f := range findings {
		state, name := "ok     ", f.Name
		if !f.OK {
			state = "PROBLEM"
		}
		for line := range strings.SplitSeq(f.Detail, "\n") {
			table.Row(state, name, line)
			state, name = "", ""
		}
		if f.Mend != "" {
			table.Row("", "", "→ "+f.Mend)
		}
	}
	table.Fprint(w)
}
