package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/readable"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testdata"
	"github.com/epb-nco/epb/wasm-heuristics/compile/compiletest"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// epb sketch writes a student that epb eval loads, names every policy in its table, and refuses to write over a folder.
func TestSketch(t *testing.T) {
	compiletest.Toolchain(t)
	dir := filepath.Join(t.TempDir(), "student")
	f := sketchFlags{
		teacher: config.BuiltinTeacher, out: dir, nodes: 8, train: 30, test: 10, programs: 2, terms: 2,
		products: []int{20},
		batch:    64, seed: 1, json: true,
	}
	var out, progress bytes.Buffer
	if err := sketchPolicy(t.Context(), f, &out, &progress); err != nil {
		t.Fatal(err)
	}
	checkTold(t, progress.String(), "student, one rule a step", "linear scorer, all features", "nearest neighbour")
	var got sketched
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if got.Products < 1 || got.Products > 20 || got.Fidelity.States == 0 {
		t.Errorf("%d products, %d states", got.Products, got.Fidelity.States)
	}
	var kinds []evaluate.Kind
	var names []string
	for _, row := range got.Table.Rows {
		kinds, names = append(kinds, row.Kind), append(names, row.Name)
		if row.Kind == evaluate.KindBaseline && row.Name != "farthest insertion" && row.Top1 == nil {
			t.Errorf("%s has no top-1", row.Name)
		}
	}
	if len(kinds) < 7 {
		t.Errorf("rows %v, want teacher, three of the student, two programs and the classics", kinds)
	}
	for _, want := range []string{
		"student, one rule a step", "best single program", "linear scorer, all features",
		"neural ranker, same features", "decision tree, 7 leaves", "nearest neighbour", "farthest insertion",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("no row %q in %q", want, names)
		}
	}
	if len(got.Rankers) != 3 || got.Rankers[0].Fidelity.States != got.Fidelity.States || got.Kernels == "" {
		t.Errorf("rankers %+v with kernels %q, want three on %d states", got.Rankers, got.Kernels, got.Fidelity.States)
	}
	s, err := distilled.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Bank.Heuristics) != 2 {
		t.Errorf("%d programs, want 2", len(s.Bank.Heuristics))
	}
	if got.Router == nil || got.Router.Count != got.Products {
		t.Errorf("the router in words is %+v, want %d products", got.Router, got.Products)
	}
	router, err := os.ReadFile(filepath.Join(dir, "router.go"))
	if err != nil || !strings.Contains(string(router), "func Weights(") {
		t.Errorf("router.go: %v\n%s", err, router)
	}
	var shown bytes.Buffer
	of, err := routerOf(s.Model, s.Bank)
	if err != nil {
		t.Fatal(err)
	}
	of.print(&shown, true)
	for _, want := range []string{"The router trusts ", "rust who ", "func Weights("} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("epb bank show prints no %q in\n%s", want, shown.String())
		}
	}
	var inJSON struct {
		Heuristics []struct{ Name string }
		Router     *readable.Description
		Source     string `json:"router_source"`
	}
	if err := json.Unmarshal([]byte(must(t, []string{"bank", "show", "--json", dir})), &inJSON); err != nil {
		t.Fatal(err)
	}
	if len(inJSON.Heuristics) != 2 || inJSON.Router == nil || inJSON.Router.Count != got.Products ||
		!strings.Contains(inJSON.Source, "func Weights(") {
		t.Errorf("epb bank show --json has the router %+v", inJSON)
	}
	if err := sketchPolicy(t.Context(), f, &out, &out); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}

// Several seeds give one table of means over the same test instances. It names machine, kernels and seeds.
func TestSketchOverSeeds(t *testing.T) {
	compiletest.Toolchain(t)
	f := sketchFlags{
		teacher: config.BuiltinTeacher, nodes: 8, train: 30, test: 10, programs: 2, terms: 1, products: []int{20, 5},
		batch: 64, seeds: []uint{3, 4}, noRankers: true, dagger: 20,
	}
	var out, screen bytes.Buffer
	if err := sketchPolicy(t.Context(), f, &out, &screen); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`(?m)^student, one rule a step +\d\.\d{4} ± \d\.\d{4} +[+-]\d+\.\d\d ± \d+\.\d\d % +\d+\.\d ± \d+\.\d$`,
		`(?m)^nearest neighbour +\d\.\d{4} ± 0\.0000 +`, // the same instances for both seeds
		`10 instances of 8 nodes, in the unit square; mean ± standard deviation over 2 seeds`,
		`\d+ cores, .* kernels of .*; seeds 3, 4\.`,
		`states that the student reaches itself on 20 of the instances`,
		`(?m)^products +loss, nats +top-1 %, mixed +top-1 %, one rule +gap, mixed +gap, one rule$`,
		`(?m)^5 +\d\.\d{4} ± \d\.\d{4} +\d+\.\d ± \d+\.\d +.* % +[+-]\d+\.\d\d ± \d+\.\d\d %$`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

func TestSketchFlags(t *testing.T) {
	err := sketchFlags{
		train: 0, test: 1, programs: 101, terms: 1, batch: 1, out: "folder", seeds: []uint{1, 2, 1},
		products: []int{7, -1, 7}, dagger: 5,
	}.validate()
	for _, want := range []string{
		"--train is 0", "--programs is 101", "--out takes one student, and --seeds", "--seeds names 1 twice",
		"--products is -1", "--products names 7 twice", "--out takes one student, and --products asks for 3",
		"--dagger is 5",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	f := sketchFlags{
		train: 9, test: 1, programs: 1, terms: 1, batch: 1, class: "local", products: []int{0}, dagger: 5,
	}
	if err := f.validate(); err == nil || !strings.Contains(err.Error(), "--dagger is for routers of few products") {
		t.Errorf("--dagger without a short router: %v", err)
	}
}

// Programs of a sketch see whole states, which a teacher of the subgraph view does not.
func TestSketchOfASubgraphTeacher(t *testing.T) {
	lehd := testdata.Shared(t, "teachers/lehd/tsp_init.pt")
	_, err := epb(t, "sketch", "--teacher", lehd, "--nodes", "8")
	if err == nil || !strings.Contains(err.Error(), "sees the subgraph view only") {
		t.Errorf("error %v, want a refusal of the view", err)
	}
}

// The products of a short router are chosen among so many; 0 asks for all. The class says how many these are.
func TestSketchOfTooManyProducts(t *testing.T) {
	for _, of := range []struct {
		class sdk.Class
		want  int
	}{{sdk.ClassLocal, 5724}, {sdk.ClassLookahead, 6372}} {
		if err := checkProducts(routing.TSP, of.class, 0, 2000); err != nil {
			t.Errorf("%s: %v", of.class, err)
		}
		want := fmt.Sprintf("--products is 2001, want 0, for all %d, or at most 2000", of.want)
		if err := checkProducts(routing.TSP, of.class, 0, 2001, 7); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %q", of.class, err, want)
		}
	}
}

// TestSketchTestSeed: --test-seed draws the test instances in place of --seed.
func TestSketchTestSeed(t *testing.T) {
	p, err := input.LoadTeacher(config.BuiltinTeacher)
	if err != nil {
		t.Fatal(err)
	}
	coords := func(seed, testSeed uint64) []float32 {
		k := sketcher{
			sketchFlags: sketchFlags{nodes: 8, test: 2, seed: seed, testSeed: testSeed},
			policy:      p, problem: problems.Must(routing.TSP), screen: terminal.NewScreen(io.Discard),
		}
		sh, err := k.record(t.Context(), k.freshSeed(), k.test, config.ValStream)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(sh.Instance(0).Coords)
	}
	if got := coords(1, 7); !slices.Equal(got, coords(7, 0)) || slices.Equal(got, coords(1, 0)) {
		t.Errorf("instances %v, want those of seed 7 and not of seed 1", got)
	}
}

// checkTold fails unless the progress has a row of each policy, in this order.
func checkTold(t *testing.T, progress string, policies ...string) {
	t.Helper()
	rest := progress
	for _, policy := range policies {
		_, after, ok := strings.Cut(rest, ", "+policy+": ")
		if !ok {
			t.Errorf("no row of %q where it belongs in\n%s", policy, progress)
			return
		}
		rest = after
	}
}
