package activities

import (
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/workflows"
)

// BenchmarkJudge judges an edit of one of the ten programs of tsp-local on TSP-20: as it is written, and with the
// weights of both sides tuned as the configs in examples do it. The scores of the others are in the store, as they are
// in a run; those of the edit are, too, from the second time on. From then on the worker has also kept the side without
// the edit, and the named features, as it has for the second edit of a heuristic.
func BenchmarkJudge(b *testing.B) {
	fx := newFixture(b)
	in := fx.training()
	split := func(name string, seed uint64, tours int) []workflows.Shard {
		ref, err := fx.Store.Put(b.Context(), teachers.POMOTSP20)
		if err != nil {
			b.Fatal(err)
		}
		s, err := fx.Rollout(b.Context(), workflows.RolloutTask{Split: workflows.Split(name), Problem: routing.TSP,
			NamedTeacher: workflows.NamedTeacher{Teacher: ref, Name: "pomo_tsp20.pt"}, Nodes: 20, Count: tours,
			Starts: 1, Seed: seed})
		if err != nil {
			b.Fatal(err)
		}
		return []workflows.Shard{s}
	}
	in.Data = workflows.Dataset{Train: split("train", 1, 1700), Val: split("val", 2, 300)}
	ten, err := bank.Builtin("tsp-local")
	if err != nil {
		b.Fatal(err)
	}
	in.Model.Bank, in.Model.Size, in.Epochs, in.Config.Router = fx.put(*ten), len(ten.Heuristics), 1, config.NamedRouter
	in.Train.BatchStates = config.Default().Train.BatchStates
	model := fx.train(in).Model
	trained := get[bank.Bank](fx, model.Bank)
	edit := trained.Heuristics[1]
	judge := workflows.JudgeInput{ModelAndData: on(model, in.Data), Index: 0, Candidate: fx.put(edit), Delta: 1e-4,
		Train: in.Train, Seed: 1}
	b.Logf("%d programs, %d training and %d validation states", len(ten.Heuristics), in.Data.Train[0].States,
		in.Data.Val[0].States)
	for _, how := range []struct {
		name    string
		weights *config.Weights
	}{{"as written", nil}, {"tuned", &config.Weights{States: 30000, Rounds: 1, Epochs: 3, Judge: 2}}} {
		b.Run(how.name, func(b *testing.B) {
			judge.Weights = how.weights
			for b.Loop() {
				if v, err := fx.Judge(b.Context(), judge); err != nil || v.Problem != "" {
					b.Fatal(err, v.Problem)
				}
			}
		})
	}
}
