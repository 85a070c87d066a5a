package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/journal"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/llm/archive"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/results"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/terminal"
)

// logFlags select the part of a run's log to show.
type logFlags struct {
	role, heuristic string
	rejected, full  bool
	summary, json   bool
}

// shows says whether a reply belongs to the part.
func (f logFlags) shows(r journal.Judged) bool {
	return (f.heuristic == "" || slices.Contains(about(r), f.heuristic)) && (!f.rejected || r.TurnedDown())
}

// about returns the names of the heuristics that a reply is about.
func about(r journal.Judged) (names []string) {
	if r.Heuristic != "" {
		names = append(names, r.Heuristic)
	}
	for _, ruling := range r.Rulings {
		names = append(names, ruling.Name)
	}
	return names
}

// checkHeuristic refuses a name of --heuristic that no reply of a run is about.
func (f logFlags) checkHeuristic(ctx context.Context, j *journal.Journal, replies []journal.Reply) error {
	judged, err := j.Judged(ctx, replies)
	if err != nil {
		return err
	}
	var names []string
	for _, r := range judged {
		names = append(names, about(r)...)
	}
	if slices.Contains(names, f.heuristic) {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("--heuristic %s: no reply is about it, there are replies about %s", f.heuristic,
		strings.Join(slices.Compact(names), ", "))
}

func llmCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "llm", Short: "See what a run asked the language models"}
	var f logFlags
	log := &cobra.Command{
		Use:   "log [RUN]",
		Short: "List all that a run asked, with verdict and cost",
		Long: `List what the language models answered in a run, the latest by default, also while it is under way: when,
in which role, about which heuristic, at what cost, and what became of it: whether the reply could be read, whether its
program passed the gate, and how the run judged the program. An edit is judged again if another one of its round came
into the bank before it. A description goes with its edit, unless it is of a program that had lost a term. Rejected
edits are there too, and prompts that the server refused. --full prints prompts and raw replies.`,
		Example: `  epb llm log
  epb llm log demo-20261121-101500 --role writer --rejected --full | less
  epb llm log --heuristic keep_to_one_side`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch llm.Role(f.role) {
			case "", llm.Critic, llm.Writer, llm.Proposer:
			default:
				return fmt.Errorf("--role %s: want critic, writer or proposer", f.role)
			}
			s, err := locate.Store(cmd.Context())
			if err != nil {
				return err
			}
			run, err := locate.Argument(args).RunID(cmd.Context())
			if err != nil {
				return err
			}
			return printLog(cmd.Context(), cmd.OutOrStdout(), s, run, f)
		},
	}
	log.Flags().StringVar(&f.role, "role", "", "only replies to this `role`: critic, writer or proposer")
	log.Flags().StringVar(&f.heuristic, "heuristic", "",
		"only replies about this `program`, and the proposal that it came in")
	log.Flags().BoolVar(&f.rejected, "rejected", false,
		"only replies that could not be used, or whose programs were turned down")
	log.Flags().BoolVar(&f.json, "json", false,
		"print a line of JSON for each reply, without prompts and texts; with --summary the sums")
	log.Flags().BoolVar(&f.full, "full", false, "print prompts and raw replies too")
	log.Flags().BoolVar(&f.summary, "summary", false,
		"only add up, by role and model, and say what a point (0.01) of validation loss cost")
	for _, part := range []string{"role", "heuristic", "rejected", "full"} {
		exclusive(log, "summary", part)
	}
	exclusive(log, "json", "full")
	cmd.AddCommand(log, archiveCommand())
	return cmd
}

func archiveCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "archive [RUN]",
		Short: "Write all requests and replies of a run to a file from which it repeats",
		Long: `Write every request of a run, the latest by default, with its prompts and its raw reply to a new file:
JSON lines, compressed if the name ends with .gz. From the file the run repeats without any model, with the same bytes:
see epb llm-replay. A run that is under way is written as far as it is. No key is in the file.`,
		Example: `  epb llm archive --out run.jsonl.gz
  zcat run.jsonl.gz | less`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkNamed(out); err != nil {
				return err
			}
			if _, err := os.Lstat(out); err == nil {
				return fmt.Errorf("--out %s: there is such a file; choose another name", out)
			}
			if err := checkParent(out); err != nil {
				return err
			}
			s, err := locate.Store(cmd.Context())
			if err != nil {
				return err
			}
			run, err := locate.Argument(args).RunID(cmd.Context())
			if err != nil {
				return err
			}
			entries, err := journal.Of(s, run).Archive(cmd.Context())
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				return askedNothing(cmd.Context(), s, run)
			}
			if err := archive.Save(out, entries); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d requests of %s\n", out, len(entries), run)
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the new `file`, such as run.jsonl.gz")
	require(cmd, "out")
	return cmd
}

// askedNothing is the error about a run without a reply, or about one that does not exist.
func askedNothing(ctx context.Context, s *store.Store, run string) error {
	nothing := fmt.Errorf("%s has asked no language model", run)
	if _, err := results.Read(ctx, s, run); !errors.Is(err, store.ErrNotFound) {
		return cmp.Or(err, nothing)
	}
	r, err := locate.Temporal(ctx)
	if err != nil {
		return fmt.Errorf("%w, or there is no such run, which Temporal would know: %w", nothing, err)
	}
	defer r.Client.Close()
	return cmp.Or(r.Exists(ctx, run), nothing)
}

// printLog prints the log of a run.
func printLog(ctx context.Context, w io.Writer, s *store.Store, run string, f logFlags) error {
	j := journal.Of(s, run)
	replies, err := j.Replies(ctx)
	if err != nil {
		return err
	}
	if len(replies) == 0 {
		return askedNothing(ctx, s, run)
	}
	if f.summary {
		return printTally(ctx, w, j, run, replies, f.json)
	}
	var total ledger.Spend
	unusable := 0
	for _, r := range replies {
		total = total.Plus(r.Spend)
		if r.Problem != "" {
			unusable++
		}
	}
	ofRole := slices.DeleteFunc(slices.Clone(replies), func(r journal.Reply) bool {
		return f.role != "" && f.role != string(r.Role)
	})
	judged, err := j.Judged(ctx, ofRole)
	if err != nil {
		return err
	}
	if f.heuristic != "" && !slices.ContainsFunc(judged, func(r journal.Judged) bool {
		return slices.Contains(about(r), f.heuristic)
	}) {
		if err := f.checkHeuristic(ctx, j, replies); err != nil { // of all roles
			return err
		}
	}
	shown := 0
	table := terminal.Table{Gap: 2}
	for _, r := range judged {
		if !f.shows(r) {
			continue
		}
		shown++
		switch {
		case f.json:
			r.Refused = nil // its prompt: the log of replies has none
			err = json.NewEncoder(w).Encode(loggedReply{r.Reply, r.Verdict()})
		case f.full:
			err = printReply(ctx, w, j, r)
		default:
			logRows(&table, r)
		}
		if err != nil {
			return err
		}
	}
	if f.json {
		return nil
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s: %s; %d of %d replies could not be used; %d shown.\n",
		run, total, unusable, len(replies), shown)
	return nil
}

// logRows adds a reply to the table of the log, with a row for each decision.
func logRows(table *terminal.Table, r journal.Judged) {
	cells := []string{r.Time.Local().Format("15:04:05"), r.Key[:8], strings.ToLower(r.Task), r.Heuristic,
		fmt.Sprintf("%d + %d", r.Spend.Input, r.Spend.Output)}
	verdict := r.Verdict()
	if r.Problem != "" {
		verdict = terminal.Brief(verdict) // of several lines
	}
	for line := range strings.SplitSeq(verdict, "\n") {
		table.Row(append(cells, terminal.Brief(line))...)
		cells = make([]string, len(cells))
	}
}

// loggedReply is a reply as epb llm log --json prints it.
type loggedReply struct {
	journal.Reply
	Verdict string `json:"verdict"`
}

// printTally prints what the replies of a run cost, by role and model, and what they brought.
func printTally(
	ctx context.Context, w io.Writer, j *journal.Journal, run string, replies []journal.Reply, asJSON bool,
) error {
	t, err := j.Tally(ctx, replies)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(w, t)
	}
	table := terminal.Table{Gap: 2}
	table.Row("ROLE", "MODEL", "REPLIES", "UNUSABLE", "CALLS", "TOKENS IN", "OUT", "USD", "EDITS KEPT", "ADDED")
	for _, s := range t.Shares {
		table.Row(string(s.Role), s.Model, fmt.Sprint(s.Replies), fmt.Sprint(s.Unusable), fmt.Sprint(s.Spend.Calls),
			fmt.Sprint(s.Spend.Input), fmt.Sprint(s.Spend.Output), fmt.Sprintf("%.4f", s.Spend.USD()),
			fmt.Sprint(s.Kept), fmt.Sprint(s.Added))
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s: %s.\n", run, t.Spend)
	if t.Spend.Replayed {
		fmt.Fprintln(w, "Replies came from an archive: their cost was paid by another run.")
	}
	fmt.Fprintf(w, "Programs added: %d. Edits kept: %d.", t.Added, t.Edits)
	if tokens, usd, ok := t.PerPoint(); ok {
		fmt.Fprintf(w, " When judged, the edits lowered the validation loss by %.4f in all: %.0f tokens and %.4f USD "+
			"for each 0.01.", t.Lowered, tokens, usd)
	}
	fmt.Fprintln(w)
	return nil
}

// printReply prints one call in full.
func printReply(ctx context.Context, w io.Writer, j *journal.Journal, r journal.Judged) error {
	record, err := j.Record(ctx, r.Reply)
	if err != nil {
		return err
	}
	return printText(w, func(w io.Writer) {
		fmt.Fprintf(w, "━━━ %s · %s · %s · %s · %s · %s ━━━\n\n"+
			"─── system ───\n\n%s\n─── user ───\n\n%s\n─── reply (%s) ───\n\n%s\n\n─── verdict ───\n\n%s\n\n",
			r.Time.Local().Format("2006-01-02 15:04:05"), strings.ToLower(r.Task), r.Heuristic, r.Model, r.Spend, r.Key,
			record.Request.System, record.Request.User, record.Answer.Finish, record.Answer.Text,
			r.Verdict())
	})
}
