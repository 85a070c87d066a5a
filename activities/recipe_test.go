package activities

import (
	"testing"

	"github.com/epb-nco/epb/workflows"
)

// A shard that is damaged or lost is made again from what it was made from: from its task, or from the student's own
// trajectories.
func TestLostShardsAreMadeAgain(t *testing.T) {
	fx := newFixture(t)
	in := fx.training()
	dagger, err := fx.Dagger(t.Context(), workflows.DaggerInput{NamedTeacher: in.NamedTeacher,
		ModelAndData: on(fx.train(in).Model, in.Data)})
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]workflows.Shard{"rollout": in.Data.Train[0], "dagger": dagger} {
		for how, lose := range map[string]func(key string){"damaged": fx.damage, "lost": fx.lose} {
			lose(s.Object.Key())
			if _, err := fx.elsewhere().Store.Shard(t.Context(), s.Object); err != nil {
				t.Errorf("%s shard, %s: %v", name, how, err)
			}
			if _, err := fx.Store.Get(t.Context(), s.Object); err != nil {
				t.Errorf("%s shard, %s: it is not in its place: %v", name, how, err)
			}
		}
	}
}
