package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/tensorops"
)

// finding is what doctor says about one thing.
type finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`         // what is there, or what is wrong
	Mend   string `json:"mend,omitempty"` // the command that mends it
}

// check looks at one thing. An error is a problem, which mend mends.
type check struct {
	name string
	look func(ctx context.Context, dir string) (detail string, err error)
	mend string
}

// mended is an error that knows better than its check what mends it.
type mended struct {
	error
	mend string
}

var errSick = errors.New("something needed is missing or misconfigured")

var checks = []check{
	{"go", lookGo, "install Go 1.26 or newer from https://go.dev/dl"},
	{"cgo", lookCgo, "make packages"},
	{"kernels", lookKernels, "unset " + tensorops.CoreVariable},
	{"tinygo", lookTinyGo, "make tools"},
	{"worker", lookWorker, "make build"},
	{"memory", lookAddressSpace, "ulimit -v unlimited"},
	{"disk", lookDisk, "free some disk space, or set EPB_DEV_DIR to a folder on another disk"},
	{"temporal", lookTemporal, "epb dev up temporal"},
	{"store", lookStore, "epb dev up minio"},
	{"llm", lookLLM, "epb dev up llm"},
	{"polling", lookPolling, "epb dev up worker"},
}

func doctorCommand() *cobra.Command {
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is missing or misconfigured, and the command that mends it",
		Long: `doctor looks at everything a distillation needs: tools, limits, and the servers that the environment
(TEMPORAL_ADDRESS, EPB_S3_ENDPOINT, OPENAI_BASE_URL …) or the dev stack names. It changes nothing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := examine(cmd.Context(), dir)
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				if err := enc.Encode(findings); err != nil {
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

func examine(ctx context.Context, dir string) []finding {
	var findings []finding
	for _, c := range checks {
		limited, cancel := context.WithTimeout(ctx, 15*time.Second)
		detail, err := c.look(limited, dir)
		cancel()
		f := finding{Name: c.name, OK: err == nil, Detail: detail}
		if err != nil {
			f.Detail, f.Mend = err.Error(), c.mend
			var m mended
			if errors.As(err, &m) {
				f.Mend = m.mend
			}
		}
		findings = append(findings, f)
	}
	return findings
}

func printFindings(w io.Writer, findings []finding) {
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
