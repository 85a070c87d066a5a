package teacher

import (
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/routing"
)

// This file connects the networks with the problems: it lists the checkpoints that EPB knows, and what each family of
// networks does differently on each problem. To add a teacher for a new problem, begin here.

// architecture is one kind of checkpoint. It is recognised by tensors that no other kind has and by the number of
// inputs of its embedding.
type architecture struct {
	name    string
	problem routing.Problem
	title   string
	build   func(*checkpoint) (model, error)
	embed   string // weight [d,inputs] of the embedding
	inputs  int
	marks   []string
}

var architectures = []architecture{
	{
		name: AM, problem: routing.CVRP, title: "AM for CVRP", build: buildAMCVRP,
		embed: "init_embed.weight", inputs: 3, marks: []string{
			"project_node_embeddings.weight", "init_embed_depot.weight",
		},
	},
	{
		name: AM, problem: routing.TSP, title: "AM for TSP", build: buildAM,
		embed: "init_embed.weight", inputs: 2, marks: []string{"project_node_embeddings.weight", "W_placeholder"},
	},
	{
		name: POMO, problem: routing.CVRP, title: "POMO for CVRP", build: buildPOMOCVRP,
		embed: "encoder.embedding_node.weight", inputs: 3, marks: []string{
			"decoder.Wq_last.weight", "encoder.embedding_depot.weight",
		},
	},
	{
		name: POMO, problem: routing.TSP, title: "POMO for TSP", build: buildPOMO,
		embed: "encoder.embedding.weight", inputs: 2, marks: []string{
			"decoder.Wq_last.weight", "decoder.Wq_first.weight",
		},
	},
	{
		name: LEHD, problem: routing.TSP, title: "LEHD for TSP", build: buildLEHD,
		embed: "encoder.embedding.weight", inputs: 2, marks: []string{
			"decoder.Linear_final.weight", "decoder.embedding_first_node.weight",
		},
	},
	{
		name: LEHD, problem: routing.CVRP, title: "LEHD for CVRP", build: buildLEHDCVRP,
		embed: "encoder.embedding.weight", inputs: 3, marks: []string{
			"decoder.Linear_final.weight", "decoder.embedding_first_node.weight",
		},
	},
}

// pointing is how AM and POMO solve a problem.
type pointing struct {
	problem routing.Problem
	// first: the query contains the first node of the solution.
	first bool
	// solve builds the solutions of all runs on one instance from its projections [n,blocks·d].
	solve func(
		d *pointerDecoder, in *routing.Instance, runs []routing.Run, proj []float32,
	) ([]routing.Trajectory, error)
}

var (
	pointingTours  = pointing{routing.TSP, true, (*pointerDecoder).solveTSP}
	pointingRoutes = pointing{routing.CVRP, false, (*pointerDecoder).solveCVRP}
)

// passing is how LEHD solves a problem.
type passing struct {
	problem routing.Problem
	// outputs is the number of logits of a node: one for going there directly and, with two, one for going by way of
	// the depot.
	outputs int
	// room: the end tokens contain the room in the vehicle.
	room bool
	// ownStart: the model chooses its first node itself.
	ownStart bool
	// unused names a linear layer that the original files contain but the model does not use. It is empty if there is
	// none.
	unused string
	// begin starts a trajectory of run tk.run. All nodes are open.
	begin func(in *routing.Instance, tk *track) (lehdState, error)
}

var (
	passingTours  = passing{problem: routing.TSP, outputs: 1, unused: "decoder.k_1", begin: newLEHDTSP}
	passingRoutes = passing{problem: routing.CVRP, outputs: 2, room: true, ownStart: true, begin: newLEHDCVRP}
)

func newLEHDCVRP(in *routing.Instance, tk *track) (lehdState, error) {
	tk.open = tk.open[1:] // without the depot
	return &lehdCVRP{inst: in, s: cvrp.NewState(in, false)}, nil
}

// taught returns the problems that have architectures.
func taught() []routing.Problem {
	var names []routing.Problem
	for _, p := range problems.All() {
		if slices.ContainsFunc(architectures, func(a architecture) bool { return a.problem == p.Name() }) {
			names = append(names, p.Name())
		}
	}
	return names
}

// inputs returns how many numbers describe a node.
func inputs(problem routing.Problem) int { return problems.Must(problem).Traits().NodeFeatures }
