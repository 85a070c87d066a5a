package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/standin"
)

func standInCommand() *cobra.Command {
	var listen, log string
	cmd := &cobra.Command{
		Use:   "llm-standin",
		Short: "Serve the rule-based stand-in for an LLM",
		Long: `Serve a rule-based stand-in that speaks the OpenAI chat protocol, so that everything runs without a key.
It is no language model: it answers by fixed rules, and whatever it drove says so.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var w io.Writer
			if log != "" {
				f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
				if err != nil {
					return err
				}
				defer f.Close()
				w = f
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "stand-in listening on http://%s/v1\n", l.Addr())
			server := &http.Server{Handler: standin.Handler(w), ReadHeaderTimeout: 10 * time.Second}
			stop := context.AfterFunc(cmd.Context(), func() { server.Close() })
			defer stop()
			if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:9100", "`address` to listen on")
	cmd.Flags().StringVar(&log, "log", "", "append one JSON line per request to this `file`")
	return cmd
}
