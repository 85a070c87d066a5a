package rollout

import "github.com/epb-nco/epb/internal/features"

// FeatureReader computes the named features of the states of shards. It is for one goroutine.
type FeatureReader struct {
	walk     Walk
	features *features.Reader
	opened   int // instance of the walk's shard
}

// NewFeatureReader returns a reader of a set of features.
func NewFeatureReader(set *features.Set) *FeatureReader {
	return &FeatureReader{features: set.NewReader()}
}

// Read stores the features of state s of a shard: f is [K,F] row-major, z is [Z]. Where states are read in their order,
// each costs one step, and each instance N² once. There are no features of candidates by way of the depot.
func (r *FeatureReader) Read(sh *Shard, s int, f, z []float32) error {
	if sh != r.walk.sh {
		if err := r.walk.begin(sh); err != nil {
			return err
		}
		r.opened = -1
	}
	if i := int(sh.InstanceOf[sh.Traj[s]]); i != r.opened {
		inst := sh.Instance(i)
		r.features.Open(&inst)
		r.opened = i
	}
	at, err := r.walk.Decision(s)
	if err != nil {
		return err
	}
	r.features.Read(at, f, z)
	return nil
}
