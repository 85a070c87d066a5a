package report_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

const nearestSource = `package %s

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score prefers near candidates, and isolated ones more and more as the tour goes on.
func Score(s *tsp.State, score []float32) {
	alpha := 1.5 + 2*s.Progress() // postponement regret
	for k, c := range s.Candidates {
		regret := float32(math.Inf(1))
		for _, d := range s.Candidates {
			if d != c {
				regret = min(regret, s.Dist(c, d))
			}
		}
		score[k] = -s.Dist(s.Current, c) + alpha*regret
	}
}
`

// sample is a run as it might come out: a dozen programs, edits accepted and rejected, two tours.
func sample() report.Data {
	rng := rand.New(rand.NewPCG(4, 2))
	names := []string{"nearest_neighbour", "postponement_regret", "two_step_closure", "hull_sweep_early",
		"isolated_rescue", "far_from_start_first",
		"completion_lookahead", "insertion_cost", "angular_sweep", "pocket_cleaning", "start_aware_closure",
		"density_gradient"}
	d := report.Data{
		Run: report.Run{ID: "am-tsp20-7f3a", Version: "v0.1.0", Started: "2026-11-21T08:02:11Z",
			Finished: "2026-11-21T08:19:40Z", Minutes: 17.5,
			Machine: "2 cores, linux/amd64", Stopped: "a pass changed nothing"},
		Config: config.Default(),
		Teacher: report.Teacher{Name: "am-tsp:tsp_20", Arch: "am", Parameters: 708_352,
			SHA256: "9d1c0f2f6a0e6f5a1f3d7bb0cbe5a9b6a0cbd3f0e1aa0f3a7bb1c4c1a6d2e9f0"},
		Habits: &habits.Profile{Solutions: 200, States: 3600, Counterclockwise: habits.Share{Count: 199, Of: 200}},
		LLM: report.LLM{Models: []string{"standin"}, StandIn: true, Calls: 128, InputTokens: 214_312,
			OutputTokens: 61_207, Roles: []report.LLMRole{
				{Role: "critic", Model: "standin", Replies: 80, Calls: 78, InputTokens: 114_312, OutputTokens: 1_207},
				{Role: "writer", Model: "standin", Replies: 50, Unusable: 1, Calls: 50, InputTokens: 100_000,
					OutputTokens: 60_000, Kept: 7},
			}},
		Fidelity: student.Eval{States: 9000, Loss: 0.2134, Top1: 0.9152, Top2: 0.9788, Coverage: 0.9704},
		Overlap: map[evaluate.Mode]evaluate.Overlap{
			evaluate.Greedy: {Mean: 0.842, Std: 0.131, Identical: 0.21}, evaluate.MultiStart: {Mean: 0.931, Std: 0.094,
				Identical: 0.48}},
		Start: report.StartRule{Rule: "furthest-lower-left", Agreement: 0.942, Ranking: []startrule.Scored{
			{Rule: "furthest-lower-left", Agreement: 0.942, Mass: 0.91}, {Rule: "nearest-lower-left", Agreement: 0.911,
				Mass: 0.88}}},
	}
	for e := 1; e <= 40; e++ {
		size := 8
		if e > 18 {
			size = 12
		}
		if e > 30 {
			size = 11
		}
		x := float64(e)
		d.History = append(d.History, report.Epoch{Epoch: e, Pass: 1 + e/19, BankSize: size,
			TrainLoss: 0.21 + 0.5*math.Exp(-x/7) + 0.01*rng.Float64(), ValLoss: 0.23 + 0.48*math.Exp(-x/8) +
				0.008*rng.Float64(),
			ValTop1: 0.915 - 0.2*math.Exp(-x/9) + 0.004*rng.Float64(), Coverage: 0.93 + 0.04*float64(size-8)/4})
	}
	d.Events = []report.Event{
		{Epoch: 5, Kind: report.EditAccepted, Heuristic: "postponement_regret", Gain: 0.0082,
			Note: "The isolation bonus was too weak in the first third of the tour."},
		{Epoch: 10, Kind: report.EditRejected, Heuristic: "hull_sweep_early", Gain: -0.0011,
			Note: "Validation loss rose."},
		{Epoch: 15, Kind: report.EditAccepted, Heuristic: "insertion_cost", Gain: 0.0031},
		{Epoch: 19, Kind: report.Added, Heuristic: "completion_lookahead", Gain: 0.021},
		{Epoch: 19, Kind: report.Added, Heuristic: "pocket_cleaning", Gain: 0.009},
		{Epoch: 31, Kind: report.Dropped, Heuristic: "x_sweep", Gain: -0.0001},
	}
	d.Weights = []report.WeightWay{
		{Heuristic: "postponement_regret", Weight: "late", Epochs: []int{5, 10}, Values: []float64{0.4, 0.9, 0.52}},
		{Heuristic: "postponement_regret", Weight: "hull", Epochs: []int{10}, Values: []float64{-1.5, 0}, Gone: true},
	}
	for m, name := range names {
		l := bank.Lineage{Origin: "starter"}
		switch {
		case m == 3:
			l = bank.Lineage{Origin: "gallery"}
		case m >= 9:
			l = bank.Lineage{Origin: "add", Pass: 1, Round: 1, Gain: 0.021, LLM: "stand-in"}
		case m%4 == 1:
			l = bank.Lineage{Origin: "textgrad", Parent: "c0ffee00c0ffee00", Pass: 1, Round: 2, Gain: 0.0082,
				LLM: "stand-in"}
		}
		d.Bank = append(d.Bank, bank.Heuristic{Name: name, Source: fmt.Sprintf(nearestSource, name),
			TauH: 0.05 + 0.01*float64(m), Lineage: l,
			Description: "Scores each candidate by its distance from the current node and by how isolated it would " +
				"be if it were left for later. As the tour goes on, isolated candidates become more urgent."})
		use := evaluate.HeuristicUse{Name: name, MeanWeight: 0.3 / float64(m+1), Dominant: 0.4 / float64(m+1),
			Deviations: 400 / (m + 1), DeviationsSolved: 280 / (m + 1),
			Category: sdk.Categories[m%len(sdk.Categories)], DeviationWeight: 0.3 / float64(1+(m+9)%12)}
		for b := range use.ByProgress {
			use.ByProgress[b] = use.MeanWeight * (0.4 + 1.2*math.Exp(-math.Pow(float64(b)-float64((m*5)%11), 2)/8))
		}
		d.Activation.Heuristics = append(d.Activation.Heuristics, use)
		d.Activation.Deviations += use.Deviations
	}
	d.Activation.States = 9000
	d.Table = table(names)
	d.Tours = []report.TourPair{tours(20, 0, rng), tours(50, 1, rng)}
	return d
}

func table(names []string) evaluate.Table {
	t := evaluate.Table{Problem: routing.TSP, Instances: 500, Nodes: 20, Seed: 1,
		Start: "Greedy tours of the teacher begin at its own first node, all others at the start rule’s."}
	row := func(kind evaluate.Kind, name string, gap, multi, top1 float64) {
		score := func(base, gap float64) *evaluate.Costing {
			return &evaluate.Costing{Cost: bootstrap.Summary{N: 500, Mean: base * (1 + gap/100), Std: 0.3},
				Gap: bootstrap.Gap{Percent: gap, CI: bootstrap.Interval{Lo: gap - 0.4, Hi: gap + 0.4}}}
		}
		r := evaluate.Row{Name: name, Kind: kind, Greedy: score(3.845, gap)}
		if multi >= 0 {
			r.MultiStart = score(3.835, multi)
		}
		if kind == evaluate.KindTeacher {
			r.Greedy.Gap, r.MultiStart.Gap = bootstrap.Gap{}, bootstrap.Gap{}
		}
		if top1 > 0 {
			r.Top1 = &top1
		}
		t.Rows = append(t.Rows, r)
	}
	row(evaluate.KindTeacher, "AM TSP-20", 0, 0, 1)
	row(evaluate.KindStudent, "student", 2.41, 0.32, 0.9152)
	for m, name := range names {
		row(evaluate.KindHeuristic, name, 9.8+1.3*float64(m), 3.1+0.4*float64(m), 0.81-0.02*float64(m))
	}
	row(evaluate.KindBaseline, "nearest neighbour", 17.2, 7.9, 0.711)
	row(evaluate.KindBaseline, "farthest insertion", 2.4, -1, 0)
	return t
}

// routes is a run on CVRP with LEHD's search, whose setting is the paper's.
func routes() report.Data {
	d := sample()
	d.Config.Problem, d.Config.Nodes = routing.CVRP, 100
	d.Teacher = report.Teacher{Name: "lehd-cvrp:cvrp_100", Arch: "lehd", Parameters: 1_434_368}
	d.Start = report.StartRule{}
	d.Table.Nodes, d.Table.Start = 101, "All greedy solutions begin where the policy says."
	search := evaluate.ReconstructOf(100)
	for i := range d.Table.Rows {
		r := &d.Table.Rows[i]
		if r.MultiStart != nil {
			r.MultiStart, r.Searches = nil, map[evaluate.Mode]*evaluate.Costing{search: r.MultiStart}
		}
	}
	d.Overlap = map[evaluate.Mode]evaluate.Overlap{evaluate.Greedy: d.Overlap[evaluate.Greedy],
		search: d.Overlap[evaluate.MultiStart]}
	in := cvrp.Generate(40, 1, 7)[0]
	theirs, ours := cvrp.Savings(&in), cvrp.Sweep(&in)
	p := report.TourPair{Problem: routing.CVRP, Instance: in.Name, Coords: in.Coords,
		Overlap: evaluate.EdgeOverlap(theirs, ours),
		Teacher: report.Tour{Actions: theirs}, Student: report.Tour{Actions: ours}}
	p.Teacher.Cost, _ = problems.Cost(&in, theirs)
	p.Student.Cost, _ = problems.Cost(&in, ours)
	for t, a := range ours {
		w := make([]float32, len(d.Bank))
		lead := (t / 3) % 12
		w[lead] = 0.7
		p.Student.Steps = append(p.Student.Steps,
			evaluate.StepExplanation{Step: t, Action: a, Prob: 0.8, Leader: lead, Weights: w,
				Nearest: t%4 > 0 && a != 0 && (t == 0 || ours[t-1] != 0), Via: t > 0 && ours[t-1] == 0})
	}
	d.Tours = []report.TourPair{p}
	return d
}

// tours gives the teacher a farthest insertion tour and the student one with a few nodes out of order.
func tours(n, seed uint64, rng *rand.Rand) report.TourPair {
	inst := tsp.Generate(int(n), 1, seed)[0]
	tour := tsp.FarthestInsertion(&inst)
	other := append([]int32(nil), tour...)
	other[4], other[5], other[9], other[10] = other[5], other[4], other[10], other[9]
	p := report.TourPair{Instance: inst.Name, Coords: inst.Coords, Overlap: evaluate.EdgeOverlap(tour, other),
		Teacher: report.Tour{Actions: tour}, Student: report.Tour{Actions: other}}
	p.Teacher.Cost, _ = tsp.Cost(&inst, tour)
	p.Student.Cost, _ = tsp.Cost(&inst, other)
	for t := 1; t < int(n); t++ {
		w := make([]float32, 12)
		lead := (t * t / 9) % 12
		w[lead] = 0.6 + 0.3*rng.Float32()
		if t == int(n)-1 {
			lead, w = -1, nil
		}
		p.Student.Steps = append(p.Student.Steps,
			evaluate.StepExplanation{Step: t, Action: other[t], Prob: 0.9, Leader: lead, Weights: w,
				Nearest: rng.IntN(4) > 0, Forced: t == int(n)-1})
	}
	return p
}
