package workflows

import (
	"fmt"
	"time"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/llm/ledger"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/store"
)

// This file holds what each activity is asked and answers, in the order of a run.

// Prepare checks a config's inputs and puts them into the store.
type (
	PrepareInput struct {
		Config config.Distill `json:"config"`
	}
	Prepared struct {
		Teacher          store.Ref     `json:"teacher"`      // checkpoint bytes
		TeacherName      string        `json:"teacher_name"` // of the checkpoint's file; the policy is named after it
		Model            Model         `json:"model"`
		Plan             []RolloutTask `json:"plan"`
		Data             *Dataset      `json:"data,omitempty"`    // instead of a plan, where the teacher is known by its rollouts
		SearchAttributes bool          `json:"search_attributes"` // the server knows them
		Kernels          string        `json:"kernels"`           // numeric kernels of the worker, see QueueFor
	}
)

// RolloutTask is one shard to make. Instances are drawn from Seed; equal tasks give equal bytes.
type RolloutTask struct {
	Split   string          `json:"split"` // "train", "val"
	Problem routing.Problem `json:"problem"`
	Teacher store.Ref       `json:"teacher"`
	Name    string          `json:"name"`  // of the teacher
	Nodes   int             `json:"nodes"` // cities; for CVRP customers
	Count   int             `json:"count"`
	Starts  int             `json:"starts"` // given first nodes per instance; 0: the teacher's own
	Seed    uint64          `json:"seed"`

	ViaDepot bool `json:"via_depot,omitempty"` // CVRP: the teacher decides as the bank does, see teacher.ViaDepot
}

// DaggerInput asks for teacher labels on the student's own trajectories over the instances of a shard.
type DaggerInput struct {
	Teacher store.Ref `json:"teacher"`
	Name    string    `json:"name"`
	Model   Model     `json:"model"`
	Data    Dataset   `json:"data"`
	Shard   int       `json:"shard"` // index in Data.Train
}

// ScoreInput asks for the scores of one heuristic of a bank on shards, which are kept.
type ScoreInput struct {
	Bank   store.Ref `json:"bank"`
	Index  int       `json:"index"` // heuristic
	Shards []Shard   `json:"shards"`
}

// TrainInput asks for a segment of SGD epochs.
type (
	TrainInput struct {
		Teacher store.Ref      `json:"teacher"`
		Name    string         `json:"name"` // of the teacher
		Model   Model          `json:"model"`
		Data    Dataset        `json:"data"`
		Config  config.Student `json:"config"`
		Train   config.Train   `json:"train"`
		Seed    uint64         `json:"seed"`
		Pass    int            `json:"pass"`
		From    int            `json:"from"` // first epoch
		Epochs  int            `json:"epochs"`
		Anneal  bool           `json:"anneal"` // learning rate falls to zero over the segment
	}
	TrainOutput struct {
		Model  Model   `json:"model"` // bank with learned τ_h, student after the segment
		Points []Point `json:"points"`
		Build  string  `json:"build,omitempty"` // commit of the worker
	}
)

// AttributeInput asks which heuristics fail where (Eq. 10).
type (
	AttributeInput struct {
		Model    Model           `json:"model"`
		Data     Dataset         `json:"data"`
		TextGrad config.TextGrad `json:"textgrad"`
		Blame    []Blame         `json:"blame"`
		Epoch    int             `json:"epoch"`
		Again    bool            `json:"again,omitempty"` // Blame has these failures already
	}
	Attribution struct {
		Failures store.Ref  `json:"failures"`
		Dispatch []Dispatch `json:"dispatch"`
		Blame    []Blame    `json:"blame"` // for the next round
	}
	Dispatch struct {
		Index     int       `json:"index"` // heuristic
		Name      string    `json:"name"`
		Heuristic store.Ref `json:"heuristic"` // bank.Heuristic as JSON
		Score     float64   `json:"score"`     // accumulated since it was dispatched last
		Failures  int       `json:"failures"`
	}
)

// Channel is what a textual gradient is about: the code c_m (phase 1) or the description d_m (phase 2).
type Channel string

// The channels.
const (
	Code        Channel = "code"
	Description Channel = "description"
)

// BackwardInput asks for the textual gradient of one failure of one heuristic.
type (
	BackwardInput struct {
		LLM       config.LLM     `json:"llm"`
		Budget    *ledger.Budget `json:"budget,omitempty"` // nil: no limit
		Heuristic store.Ref      `json:"heuristic"`        // bank.Heuristic as JSON
		Failures  store.Ref      `json:"failures"`
		Owner     int            `json:"owner"`   // whose failures
		Failure   int            `json:"failure"` // which of them
		Channel   Channel        `json:"channel"`
	}
	Gradient struct {
		Object store.Ref `json:"object"` // textgrad.Gradient or DescriptionGradient as JSON
		Valid  bool      `json:"valid"`  // the reply had the four fields
		Spend  Spend     `json:"spend"`

		Problem string `json:"problem,omitempty"` // why it is not valid
	}
)

// StepInput asks for a new version of a heuristic following its gradients.
type (
	StepInput struct {
		LLM       config.LLM     `json:"llm"`
		Budget    *ledger.Budget `json:"budget,omitempty"` // nil: no limit
		Heuristic store.Ref      `json:"heuristic"`
		Failures  store.Ref      `json:"failures"`
		Gradients []store.Ref    `json:"gradients"`
		Momentum  []store.Ref    `json:"momentum"` // unresolved gradients of earlier rounds
		Rejected  []Rejection    `json:"rejected"` // other edits of the same program: of this round, or of Add so far
		Round     int            `json:"round"`
		Pass      int            `json:"pass"`
		Origin    string         `json:"origin"` // lineage: "textgrad" or "add"
		Faults    store.Ref      `json:"faults"` // of Add: τ_h is fitted to those that are not held out
	}
	Candidate struct {
		Heuristic store.Ref `json:"heuristic"` // bank.Heuristic as JSON
		Name      string    `json:"name"`
		Problem   string    `json:"problem"` // why it is no valid program
		Spend     Spend     `json:"spend"`
	}
	// RewriteInput asks for a new strategy following description gradients, and for its implementation (phase 2).
	RewriteInput struct {
		LLM       config.LLM     `json:"llm"`
		Budget    *ledger.Budget `json:"budget,omitempty"` // nil: no limit
		Bank      store.Ref      `json:"bank"`
		Index     int            `json:"index"`
		Failures  store.Ref      `json:"failures"`
		Gradients []store.Ref    `json:"gradients"`
		Pass      int            `json:"pass"`
	}
	// Rejection is an edit that was turned down.
	Rejection struct {
		Heuristic store.Ref `json:"heuristic"`
		Reason    string    `json:"reason"`
	}
	DescribeInput struct {
		LLM       config.LLM     `json:"llm"`
		Budget    *ledger.Budget `json:"budget,omitempty"` // nil: no limit
		Heuristic store.Ref      `json:"heuristic"`
		Failures  store.Ref      `json:"failures"` // for what all prompts share
	}
)

// JudgeInput asks for the validation loss with a candidate in the place of a heuristic.
type (
	JudgeInput struct {
		Model     Model     `json:"model"`
		Data      Dataset   `json:"data"`
		Index     int       `json:"index"`
		Candidate store.Ref `json:"candidate"`
		Delta     float64   `json:"delta"` // δ, for the log's verdict
	}
	Verdict struct {
		Before     float64   `json:"before"` // validation loss of the bank as it is
		After      float64   `json:"after"`
		Top1Before float64   `json:"top1_before"`
		Top1After  float64   `json:"top1_after"`
		Candidate  store.Ref `json:"candidate"` // with its τ_h fitted
		Problem    string    `json:"problem"`   // why it could not be judged, e.g. it trapped on a state
	}
	CommitInput struct {
		Model     Model     `json:"model"`
		Data      Dataset   `json:"data"`
		Index     int       `json:"index"`
		Candidate store.Ref `json:"candidate"`
		Gain      float64   `json:"gain"`
	}
	Committed struct {
		Model   Model  `json:"model"`
		Problem string `json:"problem"` // why the bank was left as it was
	}
)

// Refusal says why a candidate is turned down, or nothing where it is accepted: the validation loss falls by at least δ.
func (v Verdict) Refusal(delta float64) string {
	switch {
	case v.Problem != "":
		return v.Problem
	case v.Before-v.After >= delta:
		return ""
	}
	return fmt.Sprintf("validation loss %.4f instead of %.4f", v.After, v.Before)
}

// FaultsInput asks for the states on which every heuristic fails (Alg. 2, line 1).
type (
	FaultsInput struct {
		Model Model      `json:"model"`
		Data  Dataset    `json:"data"`
		Add   config.Add `json:"add"`
		Pass  int        `json:"pass"`
	}
	Faults struct {
		Object store.Ref `json:"object"`
		Count  int       `json:"count"`  // 0 too where all would be held out
		States int       `json:"states"` // looked at
	}
	ProposeInput struct {
		LLM    config.LLM     `json:"llm"`
		Budget *ledger.Budget `json:"budget,omitempty"` // nil: no limit
		Add    config.Add     `json:"add"`
		Bank   store.Ref      `json:"bank"`
		Faults store.Ref      `json:"faults"`
		Pass   int            `json:"pass"`
	}
	Proposal struct {
		Candidates []Candidate `json:"candidates"`
		Spend      Spend       `json:"spend"`
	}
	// AssignInput gives each fault state to the candidate closest to the teacher (lines 4-6).
	AssignInput struct {
		Faults     store.Ref   `json:"faults"`
		Candidates []store.Ref `json:"candidates"`
		TopK       int         `json:"top_k"`
	}
	Assignment struct {
		Failures store.Ref `json:"failures"`
		Counts   []int     `json:"counts"` // failures per candidate

		Rejected []Rejection `json:"rejected,omitempty"` // candidates that fault on some state: they are out
	}
	// AgreeInput asks for the agreement of two versions of a candidate on the held-out faults.
	AgreeInput struct {
		Faults store.Ref   `json:"faults"`
		Items  []store.Ref `json:"items"`
	}
	Agreement struct {
		Top1 []float64 `json:"top1"`
	}
	AdmitInput struct {
		Model      Model       `json:"model"`
		Data       Dataset     `json:"data"`
		Add        config.Add  `json:"add"`
		Candidates []store.Ref `json:"candidates"`
		Pass       int         `json:"pass"`
		Epoch      int         `json:"epoch"`
	}
	// ExpelInput takes a program out of the bank that faults.
	ExpelInput struct {
		Model  Model  `json:"model"`
		Name   string `json:"name"`
		Reason string `json:"reason"`
		Pass   int    `json:"pass"`
		Epoch  int    `json:"epoch"`
	}
	DropInput struct {
		Model Model       `json:"model"`
		Data  Dataset     `json:"data"`
		Drop  config.Drop `json:"drop"`
		Pass  int         `json:"pass"`
		Epoch int         `json:"epoch"`
	}
	// Revision is a bank after Add or Drop.
	Revision struct {
		Model  Model   `json:"model"`
		Events []Event `json:"events"`
	}
)

// EvaluateInput asks what every policy makes of the test instances; the result is a report.Data as JSON.
type (
	EvaluateInput struct {
		Config  config.Distill `json:"config"`
		Teacher store.Ref      `json:"teacher"`
		Name    string         `json:"name"` // of the teacher
		Model   Model          `json:"model"`
		Data    Dataset        `json:"data"`
	}
	ReportInput struct {
		RunID     string         `json:"run_id"`
		Started   time.Time      `json:"started"`
		Finished  time.Time      `json:"finished"`
		Config    config.Distill `json:"config"`
		Teacher   store.Ref      `json:"teacher"`
		Name      string         `json:"name"`
		Model     Model          `json:"model"`
		Evaluated store.Ref      `json:"evaluated"`
		Points    []Point        `json:"points"`
		Events    []Event        `json:"events"`
		Spend     Spend          `json:"spend"`
		Ended     string         `json:"ended"`
		Val       []Shard        `json:"val"`
	}
	// Result is what Distill returns and `epb report` downloads. A run stopped before training has neither manifest nor report.
	// Its words come first: the UI shows where it begins.
	Result struct {
		Summary  string    `json:"summary"` // one line
		Ended    string    `json:"ended"`   // why Alg. 1 ended
		Model    Model     `json:"model"`
		Manifest string    `json:"manifest"`              // key of the run's manifest in the store
		Report   store.Ref `json:"report"`                // report.html
		Data     store.Ref `json:"data"`                  // report.json
		Val      []Shard   `json:"val"`                   // validation states, to judge an edited bank on
		Version  string    `json:"epb_version,omitempty"` // commit of the worker that wrote the report
		Kernels  string    `json:"kernels,omitempty"`     // numeric kernels that all of the run's bytes come from
	}
)
