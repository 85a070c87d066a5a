package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/workflows"
)

var chosenDrills = flag.String("drills", "", "run the fault drills whose names match this `regexp`; none if empty")

// patience is how long a drill waits until a run notices a fault or recovers from it.
const patience = 5 * time.Minute

// drill is a fault that happens while a distillation of its own runs.
type drill struct {
	name   string
	what   string
	fault  func(*exercise)
	before func(t *testing.T) // prepares servers for this drill only; if nil, the drill shares those of all drills
	others bool               // other runs of its deployment ask questions too
}

// exercise is a drill in progress.
type exercise struct {
	*deployment
	ctx    context.Context
	cfg    config.Distill
	run    client.WorkflowRun
	began  time.Time
	status string // whether `epb status` named the fault, for the table
}

// The table's entries for a status.
const (
	told    = "yes"
	untold  = "**no**"
	healed  = "mended by itself"
	notSeen = "–"
)

// outcome is a row of the table.
type outcome struct {
	what   string
	same   string
	asked  []string // hashes of questions
	status string
	took   time.Duration
}

func (o outcome) String() string {
	return fmt.Sprintf("| %s | %s | %d / %d | %s | %.0f |",
		o.what, o.same, len(o.asked), distinct(o.asked), o.status, o.took.Seconds())
}

// TestDrills makes real servers, workers and objects fail. Every run must end with the bytes of an undisturbed run and
// ask the LLM no question twice. While there is a fault, `epb status` must name it.
func TestDrills(t *testing.T) {
	if *chosenDrills == "" {
		t.Skip("half an hour of faults: make drill")
	}
	names, err := regexp.Compile(*chosenDrills)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"TEMPORAL_ADDRESS", "EPB_S3_ENDPOINT"} {
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop() // until then an interrupt fails the running drill, and cleanup runs
	g := newServers(t)
	g.buildEPB(t)
	cfg := drillConfig(weakBank(t))
	var calm workflows.Result
	var questions []string
	table := []outcome{}
	t.Cleanup(func() { printTable(table) })
	if !t.Run("undisturbed", func(t *testing.T) {
		e := begin(ctx, t, g, "run-0", cfg)
		calm = e.end()
		questions = e.asked()
		table = append(table, outcome{"undisturbed", notSeen, questions, notSeen, time.Since(e.began)})
	}) {
		return
	}
	for i, d := range allDrills() {
		if !names.MatchString(d.name) || ctx.Err() != nil {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			row := outcome{what: d.what, same: "**never ended**", status: notSeen}
			defer func() {
				if t.Skipped() {
					row.same, row.status = "skipped", notSeen
				}
				table = append(table, row)
			}()
			own := g
			if d.before != nil {
				d.before(t)
				own = newServers(t)
				own.epb = g.epb
			}
			// The tests search a status for words. The name of the run must contain none of them.
			e := begin(ctx, t, own, fmt.Sprintf("run-%d", i+1), cfg)
			defer func() { row.asked, row.status, row.took = e.asked(), e.status, time.Since(e.began) }()
			d.fault(e)
			row.same = e.compare(e.end(), calm)
			if asked := e.asked(); distinct(asked) != len(asked) || !d.others && !slices.Equal(asked, questions) {
				t.Errorf("%d questions asked, %d distinct; undisturbed it asks %d",
					len(asked), distinct(asked), len(questions))
			}
		})
	}
}

// distinct returns the number of different hashes. hashes must be sorted.
func distinct(hashes []string) int { return len(slices.Compact(slices.Clone(hashes))) }

func printTable(table []outcome) {
	fmt.Println("\n| drill | same bytes | questions asked / distinct | honest status | seconds |")
	fmt.Println("|---|---|---|---|---|")
	for _, row := range table {
		fmt.Println(row)
	}
	fmt.Println()
}

func (g *servers) buildEPB(t *testing.T) {
	t.Helper()
	g.epb = filepath.Join(t.TempDir(), "epb")
	if out, err := exec.Command("go", "build", "-o", g.epb, "../starter").CombinedOutput(); err != nil {
		t.Fatalf("build epb: %v\n%s", err, out)
	}
}

// begin starts a run of a drill's deployment, with one worker.
func begin(ctx context.Context, t *testing.T, g *servers, name string, cfg config.Distill) *exercise {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 4*patience)
	t.Cleanup(cancel)
	g.restart(t, devstack.Temporal, devstack.MinIO) // a failed drill may have left them stopped
	e := &exercise{deployment: newDeployment(t, g, name), ctx: ctx, cfg: cfg, status: notSeen}
	e.startWorker()
	e.start()
	return e
}

// start starts the run, or another one in its place.
func (e *exercise) start() {
	e.t.Helper()
	e.run = e.execute(e.name, e.cfg)
	e.began = time.Now()
}

func (e *exercise) execute(id string, cfg config.Distill) client.WorkflowRun {
	e.t.Helper()
	run := e.deployment.execute(e.ctx, id, cfg)
	e.t.Cleanup(func() { // otherwise the worker of the next drill would continue a failed drill's run
		_ = e.c.TerminateWorkflow(context.Background(), id, "", "the drill is over")
	})
	return run
}

// end waits for the run's result.
func (e *exercise) end() workflows.Result {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(e.ctx, 2*patience)
	defer cancel()
	var result workflows.Result
	if err := e.run.Get(ctx, &result); err != nil {
		e.t.Fatalf("%s: %v", e.name, err)
	}
	return result
}

// compare says whether a run has the bank and the student of the undisturbed one.
func (e *exercise) compare(got, want workflows.Result) string {
	g, w := got.Model, want.Model
	if g.Bank == w.Bank && g.Student == w.Student {
		return "yes"
	}
	e.t.Errorf("bank %v and student %v, undisturbed %v and %v", g.Bank, g.Student, w.Bank, w.Student)
	return "**no**"
}

// ended reports whether the run has ended.
func (e *exercise) ended() bool {
	desc, err := e.c.DescribeWorkflowExecution(e.ctx, e.name, "")
	return err == nil && desc.GetWorkflowExecutionInfo().GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
}

// says waits until the output of `epb status` matches the pattern, and records whether it did. A run that ends earlier
// has recovered.
func (e *exercise) says(pattern string) {
	e.t.Helper()
	want := regexp.MustCompile(pattern)
	last := ""
	for end := time.Now().Add(patience); time.Now().Before(end); e.sleep(time.Second) {
		if e.ended() {
			e.status = healed
			return
		}
		last = e.epbStatus()
		if line := want.FindString(last); line != "" {
			e.t.Logf("%s: status: %s", e.name, strings.TrimSpace(last))
			e.status = told
			return
		}
	}
	e.t.Errorf("%s: no %q in the status: %s", e.name, pattern, last)
	e.status = untold
}

// epbStatus returns what `epb status` prints.
func (e *exercise) epbStatus() string {
	ctx, cancel := context.WithTimeout(e.ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.epb, "status", e.name)
	cmd.Env = e.env
	out, _ := cmd.CombinedOutput() // an error is part of what it prints
	return string(out)
}

// sleep waits. It ends the drill on an interrupt.
func (e *exercise) sleep(d time.Duration) {
	e.t.Helper()
	select {
	case <-e.ctx.Done():
		e.t.Fatalf("%s: %v", e.name, context.Cause(e.ctx))
	case <-time.After(d):
	}
}

// await waits until the run is in a stage and, if the stage asks the LLM, until it has asked.
func (e *exercise) await(stage workflows.Stage) {
	e.t.Helper()
	e.awaitWork(e.ctx, stage)
}

func (e *exercise) signal(names ...string) {
	e.t.Helper()
	for _, name := range names {
		if err := e.c.SignalWorkflow(e.ctx, e.name, "", name, nil); err != nil {
			e.t.Fatal(err)
		}
	}
}

// killProcess kills the worker at once.
func (e *exercise) killProcess() {
	e.t.Helper()
	if err := e.worker.Process.Kill(); err != nil {
		e.t.Fatal(err)
	}
	_ = e.worker.Wait()
}

// kill ends servers as a power cut would.
func (g *servers) kill(t testing.TB, services ...string) {
	t.Helper()
	for _, pid := range g.tell(t, syscall.SIGKILL, services...) {
		for syscall.Kill(pid, 0) == nil {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// tell sends servers a signal, and returns their process IDs.
func (g *servers) tell(t testing.TB, signal syscall.Signal, services ...string) (pids []int) {
	t.Helper()
	all, err := devstack.StatusOf(t.Context(), g.stack.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if !slices.Contains(services, s.Service) {
			continue
		}
		if s.PID == 0 {
			t.Fatalf("%s does not run", s.Service)
		}
		if err := syscall.Kill(s.PID, signal); err != nil {
			t.Fatal(err)
		}
		pids = append(pids, s.PID)
	}
	return pids
}

// restart starts those servers that do not run, at their old addresses.
func (g *servers) restart(t testing.TB, services ...string) {
	t.Helper()
	options := devstack.Options{Services: services, Isolated: true}
	if _, err := devstack.Up(t.Context(), g.stack.Dir, options); err != nil {
		t.Fatal(err)
	}
}

// disk returns the path of MinIO's files of an object, or of all objects with a prefix.
func (s *deployment) disk(key string) string {
	return filepath.Join(s.stack.Dir, "data", "minio", s.name, filepath.FromSlash(key))
}
