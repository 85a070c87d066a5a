package workflows

import (
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
)

// Activities that make the data of a run: inputs, rollouts of the teacher and the student, scores of the bank.
var (
	// Prepare checks a config's inputs and puts them into the store.
	Prepare = Activity[PrepareInput, Prepared]{"Prepare", ComputeQueue}
	// RolloutShard makes one shard of the teacher's decisions. The workflow Rollout makes all of them.
	RolloutShard = Activity[RolloutTask, Shard]{"Rollout", ComputeQueue}
	// Dagger makes a shard of the teacher's decisions on trajectories of the student.
	Dagger = Activity[DaggerInput, Shard]{"Dagger", ComputeQueue}
	// Sketch fits the first bank of a run and a router for it to the teacher's decisions.
	Sketch = Activity[SketchInput, Model]{"Sketch", ComputeQueue}
	// Score makes sure that the scores of one heuristic on the states of shards are in the store.
	Score = Activity[ScoreInput, struct{}]{"Score", ComputeQueue}
)

// PrepareInput is a config as the user gave it.
type PrepareInput struct {
	Config config.Distill `json:"config"`
}

// Prepared holds the inputs of a config as stored objects.
type Prepared struct {
	Teacher          store.Ref     `json:"teacher"`      // checkpoint bytes
	TeacherName      string        `json:"teacher_name"` // of the checkpoint's file; the policy is named after it
	Model            Model         `json:"model"`
	Plan             []RolloutTask `json:"plan"`
	Data             *Dataset      `json:"data,omitempty"`    // replaces Plan if the teacher is known by its rollouts
	SearchAttributes bool          `json:"search_attributes"` // the server knows them
	Kernels          string        `json:"kernels"`           // numeric kernels of the worker, see QueueFor
}

// Split is what the states of a shard are for.
type Split string

// The splits that are rolled out. Test instances are solved by the report alone.
const (
	TrainSplit Split = "train"
	ValSplit   Split = "val"
)

// RolloutTask is one shard to make. Instances are drawn from Seed; equal tasks give equal bytes.
type RolloutTask struct {
	Split   Split           `json:"split"`
	Problem routing.Problem `json:"problem"`
	NamedTeacher
	Nodes  int    `json:"nodes"` // cities; for CVRP customers
	Count  int    `json:"count"`
	Starts int    `json:"starts"` // given first nodes per instance; 0: the teacher's own
	Seed   uint64 `json:"seed"`

	ViaDepot bool `json:"via_depot,omitempty"` // CVRP: the teacher decides as the bank does, see teacher.ViaDepot
}

// DaggerInput asks for teacher labels on the student's own trajectories over the instances of a shard.
type DaggerInput struct {
	NamedTeacher
	ModelAndData
	Shard int `json:"shard"` // index in Data.Train
}

// SketchInput asks for a bank of named features and its router.
type SketchInput struct {
	ModelAndData
	Sketch config.Sketch  `json:"sketch"`
	Config config.Student `json:"config"`
	Train  config.Train   `json:"train"`
	Seed   uint64         `json:"seed"`
}

// SketchCheckpoint is a sketch after its first stages.
type SketchCheckpoint struct {
	Stages int       `json:"stages"` // done
	Model  store.Ref `json:"model"`
}

// ScoreInput names a heuristic of a bank and the shards whose states it scores.
type ScoreInput struct {
	Bank   store.Ref `json:"bank"`
	Index  int       `json:"index"` // heuristic
	Shards []Shard   `json:"shards"`
}
