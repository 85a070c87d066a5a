package workflows

import (
	"fmt"
	"strconv"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/store"
)

// Activities of a textual step (Eq. 11, TG-Backward and TG-Step). Add uses Backward and Step too.
var (
	// Attribute says which heuristics fail where (Eq. 10), and whose turn it is to be revised.
	Attribute = Activity[AttributeInput, Attribution]{"Attribute", ComputeQueue}
	// Backward asks for the textual gradient of one failure of one heuristic (TG-Backward).
	Backward = Activity[BackwardInput, Gradient]{"Backward", LLMQueue}
	// Step asks for a new version of a heuristic that follows its gradients (TG-Step, phase 1).
	Step = Activity[StepInput, Candidate]{"Step", LLMQueue}
	// Rewrite asks for a new strategy and for its implementation (phase 2).
	Rewrite = Activity[RewriteInput, Candidate]{"Rewrite", LLMQueue}
	// Describe asks for a description of a code: of one that was accepted, or of one that has lost a term.
	Describe = Activity[DescribeInput, Candidate]{"Describe", LLMQueue}
	// Outdated finds the programs whose descriptions tell of terms that training has folded away.
	Outdated = Activity[OutdatedInput, Programs]{"Outdated", ComputeQueue}
	// Redescribe puts new descriptions of programs into the bank.
	Redescribe = Activity[RedescribeInput, Model]{"Redescribe", ComputeQueue}
	// Judge measures the validation loss with a candidate in the place of a heuristic.
	Judge = Activity[JudgeInput, Verdict]{"Judge", ComputeQueue}
	// Commit puts an accepted candidate into the bank.
	Commit = Activity[CommitInput, Committed]{"Commit", ComputeQueue}
)

// AttributeInput asks which heuristics fail where (Eq. 10).
type AttributeInput struct {
	ModelAndData
	TextGrad config.TextGrad `json:"textgrad"`
	Blame    []Blame         `json:"blame"`
	Epoch    int             `json:"epoch"`
	Again    bool            `json:"again,omitempty"`     // the round is tried again: its scores are in Blame already
	Allow    config.Classes  `json:"allow,omitempty"`     // classes of programs (config.Distill.BankAllow)
	NoHabits bool            `json:"no_habits,omitempty"` // config.LLM.NoHabits
	Terms    int             `json:"terms,omitempty"`     // config.Weights.MostTerms
}

// Attribution is the input of a round: the result of Attribute.
type Attribution struct {
	Failures store.Ref  `json:"failures"`
	Dispatch []Dispatch `json:"dispatch"`
	Blame    []Blame    `json:"blame"` // for the next round
}

// Dispatch is a heuristic whose turn it is.
type Dispatch struct {
	Index     int       `json:"index"` // heuristic
	Name      string    `json:"name"`
	Heuristic store.Ref `json:"heuristic"` // bank.Heuristic as JSON
	Score     float64   `json:"score"`     // accumulated since it was dispatched last
	Failures  int       `json:"failures"`
}

// Channel is the subject of a textual gradient: the code c_m (phase 1) or the description d_m (phase 2).
type Channel string

// The channels.
const (
	Code        Channel = "code"
	Description Channel = "description"
)

// BackwardInput names one failure of one heuristic.
type BackwardInput struct {
	LLMAccess
	Heuristic store.Ref `json:"heuristic"` // bank.Heuristic as JSON
	Failures  store.Ref `json:"failures"`
	Owner     int       `json:"owner"`   // whose failures
	Failure   int       `json:"failure"` // which of them
	Channel   Channel   `json:"channel"`
}

// Gradient is a textual gradient.
type Gradient struct {
	Object store.Ref `json:"object"` // textgrad.Gradient or DescriptionGradient as JSON
	Valid  bool      `json:"valid"`  // the reply had the four fields
	Spend  Spend     `json:"spend"`

	Problem string `json:"problem,omitempty"` // why it is not valid
}

// Origin is the reason for an edit. It becomes the bank.Origin of the program.
type Origin string

// The origins of edits.
const (
	FromTextGrad Origin = "textgrad"
	FromAdd      Origin = "add"
)

// StepInput asks for a new version of a heuristic that follows its gradients. TextGrad and Add share this one activity
// because histories of Add hold its name. With an activity of its own, Add would need both ways for as long as older
// runs live.
type StepInput struct {
	LLMAccess
	Heuristic store.Ref   `json:"heuristic"`
	Failures  store.Ref   `json:"failures"`
	Gradients []store.Ref `json:"gradients"`
	Momentum  []store.Ref `json:"momentum"` // unresolved gradients of earlier rounds
	Rejected  []Rejection `json:"rejected"` // other edits of the same program: of its last rounds, or of Add so far
	Round     int         `json:"round"`
	Pass      int         `json:"pass"`
	Origin    Origin      `json:"origin"`
	Faults    store.Ref   `json:"faults"`         // of Add: τ_h is fitted to those that are not held out
	Gain      float64     `json:"gain,omitempty"` // by which the last accepted edit lowered the validation loss
}

// Candidate is a program that an LLM wrote.
type Candidate struct {
	Heuristic store.Ref `json:"heuristic"` // bank.Heuristic as JSON
	Name      string    `json:"name"`
	Problem   string    `json:"problem"` // why it is no valid program
	Spend     Spend     `json:"spend"`
}

// Rejection is an edit that was turned down.
type Rejection struct {
	Heuristic store.Ref `json:"heuristic"`
	Reason    string    `json:"reason"`

	Effect string `json:"effect,omitempty"` // see Verdict
}

// RewriteInput asks for a new strategy that follows description gradients, and for its implementation.
type RewriteInput struct {
	LLMAccess
	Bank      store.Ref   `json:"bank"`
	Index     int         `json:"index"`
	Failures  store.Ref   `json:"failures"`
	Gradients []store.Ref `json:"gradients"`
	Rejected  []Rejection `json:"rejected,omitempty"` // edits of its code, as in StepInput
	Pass      int         `json:"pass"`
}

// DescribeInput names the heuristic to describe, and where to find what all prompts share: in the failures of a round,
// or, outside of rounds, in the bank.
type DescribeInput struct {
	LLMAccess
	Heuristic store.Ref `json:"heuristic"`
	Failures  store.Ref `json:"failures"`
	Bank      store.Ref `json:"bank,omitzero"`
	Pass      int       `json:"pass,omitempty"` // of the run, outside of rounds: it numbers its activities anew in each
}

// OutdatedInput names a bank.
type OutdatedInput struct {
	Bank store.Ref `json:"bank"`
}

// Programs are some programs of a bank.
type Programs struct {
	Programs []Program `json:"programs"`
}

// Program is a program of a bank.
type Program struct {
	Name      string    `json:"name"`
	Heuristic store.Ref `json:"heuristic"` // bank.Heuristic as JSON
}

// RedescribeInput names programs that take the place of those of the same names and code, with other descriptions.
type RedescribeInput struct {
	Model      Model       `json:"model"`
	Heuristics []store.Ref `json:"heuristics"`
}

// JudgeInput puts a candidate in the place of a heuristic.
type JudgeInput struct {
	ModelAndData
	Index     int       `json:"index"`
	Candidate store.Ref `json:"candidate"`
	Delta     float64   `json:"delta"` // δ, for the log's verdict

	// Weights, unless nil, has both sides tuned before they are compared, on some training states.
	Weights *config.Weights `json:"weights,omitempty"`
	Train   config.Train    `json:"train,omitzero"`
	Seed    uint64          `json:"seed,omitempty"`
}

// Verdict is the effect of a candidate on the validation loss.
type Verdict struct {
	Before     float64   `json:"before"` // validation loss of the bank as it is
	After      float64   `json:"after"`
	Top1Before float64   `json:"top1_before"`
	Top1After  float64   `json:"top1_after"`
	Candidate  store.Ref `json:"candidate"` // with its τ_h fitted
	Problem    string    `json:"problem"`   // why it could not be judged, e.g. it trapped on a state

	Effect string `json:"effect,omitempty"` // on the program's own first choices, in words for the writer
}

// Refusal says why a candidate is turned down, with the margin that was wanted. It is empty for an accepted one: the
// validation loss falls by at least δ.
func (v Verdict) Refusal(delta float64) string {
	switch {
	case v.Problem != "":
		return v.Problem
	case v.Before-v.After >= delta:
		return ""
	}
	digits := 4
	for v.After != v.Before && digits < 8 && rounded(v.After, digits) == rounded(v.Before, digits) {
		digits++
	}
	return fmt.Sprintf("validation loss %s instead of %s", rounded(v.After, digits), rounded(v.Before, digits)) +
		Margin(delta)
}

// Margin says, of an edit that is turned down, that the validation loss has to fall by δ. It is empty without δ.
func Margin(delta float64) string {
	if delta > 0 {
		return fmt.Sprintf(", and it has to fall by %.4g", delta)
	}
	return ""
}

func rounded(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// CommitInput puts an accepted candidate into the bank.
type CommitInput struct {
	ModelAndData
	Index     int       `json:"index"`
	Candidate store.Ref `json:"candidate"`
	Gain      float64   `json:"gain"`
}

// Committed is the student after a commit.
type Committed struct {
	Model   Model  `json:"model"`
	Problem string `json:"problem"` // why the bank was left as it was
}
