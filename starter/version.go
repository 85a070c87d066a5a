package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/version"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say from which commit this program was built",
		Long: `Say from which commit this program was built, with +dirty if the tree was modified, by which Go and for
which machine. Reports, exported students, epb eval --json and the files of epb rollout name the commit, too.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "epb", version.Line())
			return err
		},
	}
}
