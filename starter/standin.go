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

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/archive"
	"github.com/epb-nco/epb/internal/standin"
)

func standInCommand() *cobra.Command {
	var listen, log string
	cmd := &cobra.Command{
		Use:   "llm-standin",
		Short: "Serve the rule-based stand-in for an LLM",
		Long: `Serve a rule-based stand-in that speaks the OpenAI chat protocol, so that everything runs without a key.
It is no language model: it reads the evidence in each prompt and answers by fixed rules, and whatever it drove says so.
It adds, replaces and bounds single terms of programs; training sets the numbers.

A request for the model "` + llm.NullWriter + `" is answered by the null writer, the control of an ablation: it writes
terms of the same measures in the same way, but draws choice, sign and size by lot. Name it as llm.critic, llm.writer
and llm.proposer of a config; whatever it drove says so, too.`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var w io.Writer
			if log != "" {
				f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
				if err != nil {
					return fmt.Errorf("--log: %w", err)
				}
				defer f.Close()
				w = f
			}
			return serveLLM(cmd, listen, "stand-in", standin.Handler(w))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:9100", "`address` to listen on")
	cmd.Flags().StringVar(&log, "log", "", "append one JSON line per request to this `file`")
	return cmd
}

func replayCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "llm-replay ARCHIVE",
		Short: "Answer as an archived run was answered, without any model",
		Long: `Serve the replies in an archive (epb llm archive) over the OpenAI chat protocol. A run with the archived
run's config and seed then repeats it, with the same bytes. It needs a store of its own, such as another EPB_S3_BUCKET:
where the first run's answers are stored, nothing is asked at all.

Results name the models that gave the replies then, and say that they were replayed. A request that is not in the
archive is refused: the run waits, and epb status says which request it was.`,
		Example: `  epb llm-replay run.jsonl.gz &
  export EPB_DEV_DIR=.dev-again OPENAI_BASE_URL=http://127.0.0.1:9200/v1   # a stack with an empty store
  epb dev up && epb start --config run.yaml`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			entries, err := archive.Load(args[0])
			if err != nil {
				return err
			}
			handler, err := archive.Handler(entries)
			if err != nil {
				return fmt.Errorf("archive %s: %w", args[0], err)
			}
			return serveLLM(cmd, listen, fmt.Sprintf("archive of %d requests", len(entries)), handler)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:9200", "`address` to listen on")
	return cmd
}

// serveLLM serves a handler until the command is interrupted.
func serveLLM(cmd *cobra.Command, listen, what string, handler http.Handler) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w: choose another address", listen, err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s listening on http://%s/v1\n", what, l.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(cmd.Context(), func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
