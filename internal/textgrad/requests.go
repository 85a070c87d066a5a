package textgrad

import (
	"regexp"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// PromptContext is what all prompts of a run share.
type PromptContext struct {
	bank.Setting
	N         int                 // nodes of the training instances
	Habits    []string            // what the teacher usually does, one fact a sentence; may be empty
	Sharpness agreement.Sharpness // of the teacher, measured on the training states
	TauH      float64             // τ_h a new program starts with (Eq. 2)

	Allow []sdk.Class `json:",omitempty"` // the classes that a program may have; empty: all

	Models      map[llm.Role]string
	Temperature *float64 // nil: not sent
	MaxTokens   int
	Seed        int64
}

// The text of the prompts changes at these shares of the teacher's probability. They are chosen by hand.
const (
	decided = 0.95 // at least this on the first choice: the second hardly counts
	torn    = 0.10 // more than this below the second choice: the order of the rest counts
)

// Decided reports whether the teacher puts nearly all probability on its first choice.
func (c PromptContext) Decided() bool { return c.Sharpness.Top1 >= decided }

// Torn reports whether the teacher gives much probability to candidates other than its first two.
func (c PromptContext) Torn() bool { return c.Sharpness.Rest() > torn }

// MaxK is the largest number of candidates in a training state.
func (c PromptContext) MaxK() int { return c.N - 1 }

// Customers is how many there are in an instance.
func (c PromptContext) Customers() int { return c.N - 1 }

// API is the SDK's documentation, without the measures that Measures and StateMeasures list.
func (c PromptContext) API() string {
	measures := map[string]bool{}
	for _, f := range slices.Concat(c.Measures(), c.StateMeasures()) {
		measures[oneMethod.FindStringSubmatch(f.Call)[1]] = true
	}
	return API(c.SDK(), c.Allow, func(function string) bool { return !measures[function] })
}

// oneMethod matches the code of a feature that is one method of the SDK's State.
var oneMethod = regexp.MustCompile(`^s\.(\w+)\([^()]*\)$`)

// Measures returns the named features of a candidate that are one method of the SDK's State.
func (c PromptContext) Measures() []features.Feature {
	set, ok := features.Of(c.Problem, c.View, sdk.ClassLocal)
	if !ok {
		return nil
	}
	return methodsOf(set.Node)
}

// StateMeasures returns the named features of a state that are one method of the SDK's State.
func (c PromptContext) StateMeasures() []features.Feature {
	set, ok := features.Of(c.Problem, c.View, sdk.ClassLocal)
	if !ok {
		return nil
	}
	return methodsOf(set.State)
}

func methodsOf(all []features.Feature) []features.Feature {
	return slices.DeleteFunc(slices.Clone(all), func(f features.Feature) bool { return !oneMethod.MatchString(f.Call) })
}

// Allows reports whether a program may have a class, by its name.
func (c PromptContext) Allows(class sdk.Class) bool { return sdk.Allows(c.Allow, class) }

// Calls is the documentation of the SDK functions that a program calls.
func (c PromptContext) Calls(source string) string { return Calls(c.SDK(), source) }

// Rejected is an edit that the validation or the compiler refused.
type Rejected struct {
	Source string `json:"source"` // empty where the reply held no program
	Reason string `json:"reason"` // one line: the loss it led to, or the error
	Effect string `json:"effect"` // in words: what it changed in the program's own first choices; may be empty
}

// StepInput is the input of a code step.
type StepInput struct {
	Gradients  []Gradient
	Persistent []Gradient // momentum: unresolved gradients of earlier rounds
	Rejected   []Rejected // other edits of the same program, in a TextGrad round or in all rounds of Add so far
	Attempt    int        // from 1
	Record     *Record    // how the program does; may be nil
}

// ProposedFailures is how many fault states a proposer is shown: enough to tell modes apart, few enough for a prompt.
const ProposedFailures = 12

// ProposeInput is the input of a proposal for Add.
type ProposeInput struct {
	Failures []Failure         // fault states, each with the scores of the closest heuristic
	Evidence []evidence.Change // features that would bring the closest heuristics nearer to the teacher there
	Bank     []bank.Heuristic
	Modes    int // K of Alg. 2
	Attempt  int // from 1
}

// BackwardRequest asks the critic why h failed in state f, on the code channel; ParseGradient reads the reply.
func BackwardRequest(h bank.Heuristic, f Failure, ctx PromptContext) llm.Request {
	return ctx.request(llm.Critic, "backward_code", struct {
		PromptContext
		Source  string
		TauH    float64
		Failure Failure
	}{ctx, code(h.Source), h.TauH, f})
}

// BackwardDescriptionRequest asks on the description channel; ParseDescriptionGradient reads the reply. A description
// that is the program's comment is not said twice.
func BackwardDescriptionRequest(h bank.Heuristic, f Failure, ctx PromptContext) llm.Request {
	return ctx.request(llm.Critic, "backward_description", struct {
		PromptContext
		Source, Description string
		Described           bool
		Failure             Failure
	}{ctx, code(h.Source), h.Description, strings.Contains(words(h.Source), words(h.Description)), f})
}

// StepRequest asks the writer for a new program from gradients; ParseProgram reads the reply.
func StepRequest(h bank.Heuristic, in StepInput, ctx PromptContext) llm.Request {
	rejected := slices.Clone(in.Rejected)
	for i, r := range rejected {
		rejected[i].Source = code(r.Source)
	}
	in.Rejected = rejected
	return ctx.request(llm.Writer, "step", struct {
		PromptContext
		StepInput
		Source string
		TauH   float64
	}{ctx, in, code(h.Source), h.TauH})
}

// StepDescriptionRequest asks the writer for a new strategy (phase 2); ParseDescription reads the reply, and
// ImplementRequest follows.
func StepDescriptionRequest(h bank.Heuristic, gradients []DescriptionGradient, others []bank.Heuristic, attempt int,
	ctx PromptContext) llm.Request {
	return ctx.request(llm.Writer, "step_description", struct {
		PromptContext
		Description string
		Gradients   []DescriptionGradient
		Bank        []bank.Heuristic
		Attempt     int
	}{ctx, h.Description, gradients, others, attempt})
}

// ImplementRequest asks the writer for the program of a description, which takes the place of h; ParseProgram reads the
// reply.
func ImplementRequest(description string, h bank.Heuristic, ctx PromptContext) llm.Request {
	name := h.Name
	if m := packageClause.FindStringSubmatch(h.Source); m != nil {
		name = m[1]
	}
	return ctx.request(llm.Writer, "implement", struct {
		PromptContext
		Description, Package, Source string
		TauH                         float64
	}{ctx, description, name, code(undescribed(h.Source)), h.TauH})
}

// scoreComment matches the comment of Score with the line that it belongs to.
var scoreComment = regexp.MustCompile(`(?m)(^//.*\n)+func Score\(`)

// undescribed returns a source without the comment of Score, the description that another one takes the place of.
func undescribed(source string) string { return scoreComment.ReplaceAllString(source, "func Score(") }

// packageClause matches the line of a source that names its package.
var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// words returns a text, or the comments and code of a source, as words with single spaces between them.
func words(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "//", " ")), " ")
}

// DescribeRequest asks the writer to describe an accepted program; ParseDescription reads the reply.
func DescribeRequest(source string, ctx PromptContext) llm.Request {
	return ctx.request(llm.Writer, "describe", struct {
		PromptContext
		Source string
	}{ctx, code(source)})
}

// ProposeRequest asks the proposer to partition faults and write a candidate for each mode (Alg. 2 line 2);
// ParseProposals reads the reply.
func ProposeRequest(in ProposeInput, ctx PromptContext) llm.Request {
	return ctx.request(llm.Proposer, "propose", struct {
		PromptContext
		ProposeInput
	}{ctx, in})
}

// RepairRequest shows the writer the error of a program or reply; ParseProgram reads the reply. attempt counts from 1.
func RepairRequest(source string, failure error, attempt int, ctx PromptContext) llm.Request {
	return ctx.request(llm.Writer, "repair", struct {
		PromptContext
		Source  string
		Error   string
		Attempt int
	}{ctx, code(source), failure.Error(), attempt})
}

// AgainRequest asks the same once more and says what was wrong with the form of the last reply. attempt counts the
// replies so far, from 1.
func AgainRequest(req llm.Request, failure error, attempt int) llm.Request {
	data := struct {
		llm.Request
		Error   string
		Attempt int
	}{req, failure.Error(), attempt}
	again := req
	again.User = render(sdk.Packages[0].Name, "again", "user", data) // the same for all
	return again
}

func (c PromptContext) request(role llm.Role, prompt string, data any) llm.Request {
	req := llm.Request{
		Role: role, Model: c.Models[role],
		System: render(c.SDK(), prompt, "system", data), User: render(c.SDK(), prompt, "user", data),
		Temperature: llm.OmitTemperature, MaxTokens: c.MaxTokens, Seed: c.Seed,
	}
	if c.Temperature != nil {
		req.Temperature = *c.Temperature
	}
	return req
}

// Task returns the name of the request's task, which is the first heading of its prompt: "STEP", "BACKWARD CODE".
func Task(req llm.Request) string {
	heading, _, _ := strings.Cut(req.User, "\n")
	return strings.TrimPrefix(heading, "# Task: ")
}

// code returns a source as prompts show it.
func code(source string) string { return strings.TrimSpace(source) }
