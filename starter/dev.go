package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/terminal"
)

func devCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Run Temporal, MinIO, the stand-in LLM and a worker on this machine",
		Long: `dev runs everything a distillation needs as background processes of this machine. Data, logs, addresses
and generated keys are kept in one folder: that of --dir.

A Temporal named by TEMPORAL_ADDRESS (or Temporal's profile file) and an S3 service named by EPB_S3_ENDPOINT are
used instead of local ones.`,
	}
	dir := cmd.PersistentFlags().String("dir", devstack.DefaultDir(),
		"`folder` of the stack; EPB_DEV_DIR sets the default")
	cmd.AddCommand(devUpCommand(dir), devDownCommand(dir), devStatusCommand(dir), devLogsCommand(dir))
	return cmd
}

func devUpCommand(dir *string) *cobra.Command {
	var o devstack.Options
	cmd := &cobra.Command{
		Use:   "up [service...]",
		Short: "Start what does not run and wait until it is healthy",
		Long: `Start those of temporal, minio, llm and worker that do not run, and restart one whose program, address or
settings in the environment changed.

The worker asks the LLM that OPENAI_BASE_URL and OPENAI_API_KEY name when it starts, or the stand-in. A running worker
goes to another LLM where these name one; where they name none, --replace-llm sends it to the stand-in.
A variable that a config may name in llm.endpoints, one that ends in _URL, _KEY or _TOKEN, is a setting too. That it is
not set here is no change.`,
		ValidArgs: devstack.Services(),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Services = args
			o.Say = func(format string, a ...any) { fmt.Fprintf(cmd.OutOrStdout(), format+"\n", a...) }
			if _, err := devstack.Up(cmd.Context(), *dir, o); err != nil {
				return err
			}
			all, err := devstack.StatusOf(cmd.Context(), *dir)
			for _, s := range all {
				if s.Service == devstack.Temporal && s.Page != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "Temporal UI %s\n", s.Page)
				}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&o.Temporal, "temporal", "", "host:port of Temporal (default: a free port, kept)")
	cmd.Flags().StringVar(&o.TemporalUI, "temporal-ui", "", "host:port of Temporal's UI")
	cmd.Flags().StringVar(&o.S3, "s3", "", "host:port of MinIO")
	cmd.Flags().StringVar(&o.S3Console, "s3-console", "", "host:port of MinIO's console")
	cmd.Flags().StringVar(&o.LLM, "llm", "", "host:port of the stand-in LLM")
	cmd.Flags().BoolVar(&o.ReplaceLLM, "replace-llm", false, "let a worker with an LLM go on with the stand-in")
	return cmd
}

func devDownCommand(dir *string) *cobra.Command {
	return &cobra.Command{
		Use:       "down [service...]",
		Short:     "Stop temporal, minio, llm and worker, or those named; data is kept",
		ValidArgs: devstack.Services(),
		RunE: func(cmd *cobra.Command, args []string) error {
			stopped, err := devstack.Down(*dir, args...)
			if len(stopped) > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "stopped %s\n", strings.Join(stopped, ", "))
			} else if err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), "nothing runs")
			}
			return err
		},
	}
}

func devStatusCommand(dir *string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show what runs, and where",
		Args:  arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := devstack.StatusOf(cmd.Context(), *dir)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), all)
			}
			return printServices(cmd.OutOrStdout(), all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printServices(w io.Writer, all []devstack.Status) error {
	var table terminal.Table
	table.Row("SERVICE", "STATE", "PID", "ADDRESS", "PAGE", "LOG")
	for _, s := range all {
		pid := ""
		if s.PID != 0 {
			pid = fmt.Sprint(s.PID)
		}
		table.Row(s.Service, s.State, pid, s.Address, s.Page, s.Log)
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	for _, s := range all {
		if s.LLM != "" {
			fmt.Fprintf(w, "%s: its LLM is %s\n", s.Service, s.LLM)
		}
		if s.Problem != "" {
			fmt.Fprintf(w, "%s: %s\n", s.Service, s.Problem)
		}
	}
	return nil
}

func devLogsCommand(dir *string) *cobra.Command {
	var follow bool
	var lines int
	cmd := &cobra.Command{
		Use:       "logs [service...]",
		Short:     "Show the logs of temporal, minio, llm and worker, or of those named",
		ValidArgs: devstack.Services(),
		Args:      amongValid,
		RunE: func(cmd *cobra.Command, args []string) error {
			if lines < 0 {
				return fmt.Errorf("--lines %d: want a number of lines, or 0 for none", lines)
			}
			s, err := devstack.Load(*dir)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				args = devstack.Services()
			}
			return s.Logs(cmd.Context(), cmd.OutOrStdout(), args, lines, follow)
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with new lines")
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "lines of each log")
	return cmd
}
