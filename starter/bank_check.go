package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// checkFlags are the flags of epb bank check.
type checkFlags struct {
	shard, teacher, instances, against string
	limit                              int
	json                               bool
}

func bankCheckCommand() *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:   "check BANK",
		Short: "Compile and smoke-test a bank's programs, and see what they are worth",
		Long: `Put every program of a bank through the gate that programs of an LLM pass (check, compile, smoke test), then score it on states
a teacher decided and say how well programs and bank follow the teacher:

  top-1         share of states where the best-scored node is the teacher's choice
  KL            distance of the program's distribution from the teacher's, in nats (its τ_h counts)
  only it       states that no other program of the bank gets right
  without it    what the loss of the mixture rises by when the program is left out
  coverage      share of states where at least one program is right
  loss          distance of the mixture from the teacher, in nats

The mixture is the student's where BANK is the folder that epb report writes (its bank lies in the folder bank, to be edited), and an
even one otherwise. --against compares with another bank, such as the one before an edit.

The states come from a file of epb rollout or a finished run's validation set (--shard), or from the greedy tours of a teacher
(--teacher, --instances). Without either, the teacher that ships with EPB solves random TSP-20 instances; none ships for CVRP, whose
programs are then tested but not scored.` + bankNames,
		Example: `  epb bank check mine
  epb bank check mine --against builtin:pomo-tsp50 --teacher am/tsp_50/epoch-99.pt --instances tsp_uniform_50.npz
  epb bank check runs/tsp20 --against run:tsp20 --shard run:tsp20`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.shard != "" && cmd.Flags().Changed("limit") {
				return errors.New("--limit is for the instances of a teacher, --shard is taken whole: leave out --limit")
			}
			return checkBank(cmd.Context(), args[0], f, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&f.shard, "shard", "", "recorded states: a `file` of epb rollout, or run:ID for validation states of a finished run")
	cmd.Flags().StringVar(&f.teacher, "teacher", "", "checkpoint of a teacher, or "+config.BuiltinTeacher)
	cmd.Flags().StringVar(&f.instances, "instances", "", "npz file of instances for the teacher to solve")
	cmd.Flags().IntVar(&f.limit, "limit", 100, "use the first instances only (0: all)")
	cmd.Flags().StringVar(&f.against, "against", "", "`bank` to compare with")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

// checkOutput is what --json prints.
type checkOutput struct {
	States  string              `json:"states"`        // where they come from, in words; empty where there are none
	Now     *evaluate.Judgement `json:"now,omitempty"` // not without states
	Was     *evaluate.Judgement `json:"was,omitempty"` // of the bank of --against
	Changes map[string]string   `json:"changes,omitempty"`
}

// checkBank is the command.
func checkBank(ctx context.Context, name string, f checkFlags, stdout, stderr io.Writer) error {
	b, router, err := readMixture(ctx, name)
	if err != nil {
		return err
	}
	var old *bank.Bank
	if f.against != "" {
		if old, err = findBank(ctx, []string{f.against}); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	states, err := f.states(ctx, b)
	if err != nil {
		return err
	}
	tools, err := compile.Find()
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	if err := warnUnlisted(screen, name); err != nil {
		return err
	}
	began := time.Now()
	programs, err := buildBank(ctx, tools, name, b, screen)
	if err != nil {
		return err
	}
	defer programs.Close()
	screen.Line("%d programs compiled and smoke-tested in %.1f s", len(b.Heuristics), time.Since(began).Seconds())

	if states == nil {
		screen.Clear()
		if f.json {
			return json.NewEncoder(stdout).Encode(checkOutput{})
		}
		fmt.Fprintf(stdout, "The programs pass. To see what they are worth, name --shard, or --teacher and --instances: no teacher for %s ships with EPB.\n", b.Problem)
		return nil
	}
	sh, err := states(ctx, screen)
	if err != nil {
		return err
	}
	out := checkOutput{States: fmt.Sprintf("%d states of %d tours of %d nodes by %s", sh.States(), sh.Trajectories(), sh.N, sh.Teacher)}
	now, err := judge(ctx, programs, sh, router)
	if err != nil {
		return err
	}
	out.Now = &now
	if old != nil {
		before, err := buildBank(ctx, tools, f.against, old, screen)
		if err != nil {
			return err
		}
		defer before.Close()
		was, err := judge(ctx, before, sh, router)
		if err != nil {
			return fmt.Errorf("--against %s: %w", f.against, err)
		}
		out.Was, out.Changes = &was, changes(old, b)
	}
	screen.Clear()
	if f.json {
		return json.NewEncoder(stdout).Encode(out)
	}
	return printText(stdout, func(w io.Writer) { printCheck(w, out) })
}

// readMixture reads a bank and, where name is the folder of a student, its router.
func readMixture(ctx context.Context, name string) (*bank.Bank, *student.Model, error) {
	if !isThere(filepath.Join(name, "student.json")) {
		b, err := findBank(ctx, []string{name})
		return b, nil, err
	}
	files, err := evaluate.ReadStudent(name)
	return files.Bank, files.Model, err
}

func buildBank(ctx context.Context, tools *compile.Toolchain, name string, b *bank.Bank, screen *terminal.Screen) (*evaluate.Programs, error) {
	p, err := evaluate.BuildPrograms(ctx, tools, b, func(program string) { screen.Status("compiling %s", program) })
	if err != nil {
		return nil, fmt.Errorf("bank %s does not pass:\n%w", name, err)
	}
	return p, nil
}

func judge(ctx context.Context, p *evaluate.Programs, sh *rollout.Shard, router *student.Model) (evaluate.Judgement, error) {
	set, err := p.Score(ctx, sh)
	if err != nil {
		return evaluate.Judgement{}, err
	}
	return evaluate.Judge(ctx, p.Bank, set, router)
}

// warnUnlisted says which programs in the folder of a bank are no part of it.
func warnUnlisted(screen *terminal.Screen, name string) error {
	dir, ok := bankFolder(name)
	if !ok {
		return nil
	}
	unlisted, err := bank.Unlisted(dir)
	if err == nil && len(unlisted) > 0 {
		screen.Line("not checked, since %s does not list them under heuristics: %s", filepath.Join(dir, "bank.json"), strings.Join(unlisted, ", "))
	}
	return err
}

// decisions returns recorded ones, or has a teacher make them.
type decisions func(ctx context.Context, screen *terminal.Screen) (*rollout.Shard, error)

// states reads what the flags name and returns the decisions to judge on, or nil where they name nothing and no teacher that ships
// with EPB could decide.
func (f checkFlags) states(ctx context.Context, b *bank.Bank) (decisions, error) {
	switch {
	case f.shard != "" && (f.teacher != "" || f.instances != ""):
		return nil, errors.New("--shard holds a teacher's decisions already: leave out --teacher and --instances")
	case f.shard != "":
		return f.recorded(ctx, b)
	case (f.teacher == "") != (f.instances == ""):
		return nil, errors.New("--teacher and --instances go together")
	case f.teacher != "":
		return f.record(b)
	}
	ours, err := loadTeacher(config.BuiltinTeacher)
	switch {
	case err != nil:
		return nil, err
	case ours.Info().Problem == b.Problem:
		return f.record(b)
	case f.against != "":
		return nil, fmt.Errorf("--against: to compare banks for %s, name --shard, or --teacher and --instances", b.Problem)
	}
	return nil, nil
}

// recorded reads decisions that were made.
func (f checkFlags) recorded(ctx context.Context, b *bank.Bank) (decisions, error) {
	sh, err := readShard(ctx, f.shard)
	if err != nil {
		return nil, err
	}
	return func(context.Context, *terminal.Screen) (*rollout.Shard, error) { return sh, nil }, wantProblem(b, sh.Problem)
}

// record reads a teacher and what it is to solve, by way of the depot where the programs do.
func (f checkFlags) record(b *bank.Bank) (decisions, error) {
	t, insts, err := f.task()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, screen *terminal.Screen) (*rollout.Shard, error) {
		return rollout.Record(ctx, t.ViaDepot(b.ViaDepot()), insts, routing.SingleRun, func(done int) {
			screen.Status("recording the teacher: %d of %d instances", done, len(insts))
		})
	}, wantProblem(b, t.Info().Problem)
}

func wantProblem(b *bank.Bank, got routing.Problem) error {
	if got != b.Problem {
		return fmt.Errorf("the states are of %s, the bank is for %s", got, b.Problem)
	}
	return nil
}

// task returns a teacher and what it is to solve: as the flags have it, or the teacher that ships with EPB and random instances.
func (f checkFlags) task() (teacher.Teacher, []routing.Instance, error) {
	if f.teacher != "" {
		return readTask(f.teacher, f.instances, f.limit)
	}
	const nodes, seed = 20, 1
	if f.limit < 1 {
		return teacher.Teacher{}, nil, fmt.Errorf("--limit %d: want the number of random instances, at least 1", f.limit)
	}
	t, err := loadTeacher(config.BuiltinTeacher)
	if err != nil {
		return t, nil, err
	}
	return t, problems.Must(t.Info().Problem).Generate(nodes, f.limit, seed), nil
}

// changes returns what became of each program, by name.
func changes(old, new *bank.Bank) map[string]string {
	kinds := map[string]string{}
	for _, c := range bank.Diff(old, new) {
		if c.New == nil {
			kinds[c.Old.Name] = string(c.Kind)
			continue
		}
		kinds[c.New.Name] = string(c.Kind)
	}
	return kinds
}

// printCheck prints a judgement and, with --against, what changed.
func printCheck(w io.Writer, out checkOutput) {
	was := map[string]evaluate.ProgramVerdict{}
	if out.Was != nil {
		for _, p := range out.Was.Programs {
			was[p.Name] = p
		}
	}
	fmt.Fprintf(w, "%s\n\n", out.States)
	var table terminal.Table
	table.Row("program", "top-1", "KL", "only it", "without it", "τ_h")
	row := func(p evaluate.ProgramVerdict, notes ...string) {
		if p.FitTauH > 2*p.TauH || p.FitTauH < p.TauH/2 {
			notes = append(notes, fmt.Sprintf("τ_h %.2g would fit best", p.FitTauH))
		}
		table.Row(p.Name, fmt.Sprintf("%.1f %%", 100*p.Top1), fmt.Sprintf("%.3f", p.KL), fmt.Sprint(p.Unique),
			fmt.Sprintf("%+.4f", p.Without), fmt.Sprintf("%.3g", p.TauH), strings.Join(notes, "; "))
	}
	for _, p := range out.Now.Programs {
		var notes []string
		if kind := out.Changes[p.Name]; kind != "" {
			notes = append(notes, kind)
		}
		if old, ok := was[p.Name]; ok && (old.Top1 != p.Top1 || old.KL != p.KL) {
			notes = append(notes, fmt.Sprintf("was top-1 %.1f %%, KL %.3f", 100*old.Top1, old.KL))
		}
		row(p, notes...)
	}
	if out.Was != nil {
		for _, p := range out.Was.Programs {
			if out.Changes[p.Name] == string(bank.Removed) {
				row(p, "removed")
			}
		}
	}
	table.Fprint(w)
	fmt.Fprintln(w)
	printTotals(w, out)
}

func printTotals(w io.Writer, out checkOutput) {
	mixture := "mixed evenly"
	if out.Now.Routed {
		mixture = "mixed by the router"
	}
	var table terminal.Table
	share := func(name string, of func(evaluate.Judgement) float64) {
		cells := []string{name, fmt.Sprintf("%.2f %%", 100*of(*out.Now))}
		if out.Was != nil {
			cells = append(cells, fmt.Sprintf("was %.2f %%", 100*of(*out.Was)),
				fmt.Sprintf("%+.2f points", 100*(of(*out.Now)-of(*out.Was))))
		}
		table.Row(cells...)
	}
	share("coverage", func(j evaluate.Judgement) float64 { return j.Coverage })
	share("top-1, "+mixture, func(j evaluate.Judgement) float64 { return j.Top1 })
	cells := []string{"loss, " + mixture, fmt.Sprintf("%.4f", out.Now.Loss)}
	if out.Was != nil {
		cells = append(cells, fmt.Sprintf("was %.4f", out.Was.Loss), fmt.Sprintf("%+.4f nats", out.Now.Loss-out.Was.Loss))
	}
	table.Row(cells...)
	table.Fprint(w)
}
