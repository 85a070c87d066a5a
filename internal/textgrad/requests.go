package textgrad

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/wasm-heuristics/analysis"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
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
	Terms int         `json:",omitempty"` // that a program may have beside the distance; 0: config.DefaultTerms

	Models      map[llm.Role]string
	Temperature *float64 // nil: not sent
	MaxTokens   int
}

// NewPromptContext returns what all prompts of a round share, before WithModels: the sharpness is that on the states of
// a shard.
func NewPromptContext(
	setting bank.Setting, sh *rollout.Shard, habits []string, allow []sdk.Class, terms int,
) PromptContext {
	return PromptContext{
		Setting: setting, N: sh.N, Habits: habits, Sharpness: agreement.SharpnessOf(sh), TauH: bank.DefaultTauH,
		Allow: allow, Terms: terms,
	}
}

// WithModels adds a config's model settings.
func (c PromptContext) WithModels(cfg config.LLM) PromptContext {
	c.Models = map[llm.Role]string{llm.Critic: cfg.Critic, llm.Writer: cfg.Writer, llm.Proposer: cfg.Proposer}
	c.Temperature, c.MaxTokens = cfg.Temperature, cfg.MaxTokens
	return c
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

// Customers is how many there are in an instance.
func (c PromptContext) Customers() int { return c.N - 1 }

// MaxTerms is how many terms a program may have beside the distance.
func (c PromptContext) MaxTerms() int { return cmp.Or(c.Terms, config.DefaultTerms) }

// decisive are the habits that say which candidate the teacher takes, by their first words. The others are about whole
// solutions and their first nodes, or repeat the sharpness.
var decisive = []string{"Direction:", "Load:"}

// Decisive returns the habits that say which candidate the teacher takes, each as far as its first semicolon.
func (c PromptContext) Decisive() []string {
	var out []string
	for _, habit := range c.Habits {
		if slices.ContainsFunc(decisive, func(by string) bool { return strings.HasPrefix(habit, by) }) {
			main, _, _ := strings.Cut(strings.TrimSuffix(habit, "."), ";")
			out = append(out, main+".")
		}
	}
	return out
}

// helpers are the functions of the SDK that prompts document where there are measures of a candidate, which say most of
// what a program asks. Those that walk on or plan are documented where a program may call them.
var helpers = map[string]bool{
	"Progress": true, "K": true, "Dist": true, "Phase": true, "Below": true,
}

// API is the SDK's documentation, without the measures that Names lists: everything of a package without measures, and
// beside measures the few helpers that a program needs.
func (c PromptContext) API() string {
	measures := c.Measures()
	if len(measures) == 0 {
		return API(c.SDK(), c.Allow, func(string) bool { return true })
	}
	class := map[string]sdk.Class{}
	for _, m := range analysis.Methods(c.SDK()) {
		class[m.Name] = m.Class
	}
	return API(c.SDK(), c.Allow, func(function string) bool {
		far := class[function] != "" && class[function] != sdk.ClassLocal
		isMeasure := slices.ContainsFunc(measures, func(f features.Feature) bool {
			return oneMethod.FindStringSubmatch(f.Call)[1] == function
		})
		return !isMeasure && (far || helpers[function])
	})
}

// oneMethod matches the code of a feature that is one method of the SDK's State, and takes it apart.
var oneMethod = regexp.MustCompile(`^s\.(\w+)\(k(?:, ([0-9.]+))?\)$`)

// brief is the name of a measure in prompts: the method, and its radius if it has one, as "Skip" or "TipAlong 1.5".
// Where the code is more than one method, it is the code.
func brief(call string) string {
	m := oneMethod.FindStringSubmatch(call)
	if m == nil {
		return call
	}
	return strings.TrimSpace(m[1] + " " + m[2])
}

// Measures returns the named features of a candidate that are one method of the SDK's State.
func (c PromptContext) Measures() []features.Feature {
	set, ok := features.Of(c.Problem, c.View, sdk.ClassLocal)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(set.Node), func(f features.Feature) bool {
		return !oneMethod.MatchString(f.Call)
	})
}

// Names lists the measures of a candidate by their names, in a line for those of a candidate alone and in a line for
// those with a radius; empty where there are none.
func (c PromptContext) Names() string {
	var alone, within []string
	radii := map[string][]string{}
	for _, f := range c.Measures() {
		name, radius := oneMethod.FindStringSubmatch(f.Call)[1], oneMethod.FindStringSubmatch(f.Call)[2]
		switch {
		case radius == "":
			alone = append(alone, name)
		case radii[name] == nil:
			within = append(within, name)
			fallthrough
		default:
			radii[name] = append(radii[name], radius)
		}
	}
	if len(alone)+len(within) == 0 {
		return ""
	}
	for i, name := range within {
		within[i] += " " + strings.Join(radii[name], " ")
	}
	return "// s.M(k), M one of: " + strings.Join(alone, ", ") +
		"\n// s.M(k, R), M with radii R: " + strings.Join(within, ", ")
}

// related is how many measures the writer of a description's program is told of in words.
const related = 12

// relatedTo returns the measures whose words a description shares most: those that it says literally first.
func (c PromptContext) relatedTo(description string) []features.Feature {
	said := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(description), notLetter) {
		said[w] = true
	}
	type match struct {
		features.Feature
		share float64
	}
	var all []match
	for _, f := range c.Measures() {
		hits, total := 0.0, 0.0
		for _, w := range strings.FieldsFunc(strings.ToLower(f.Says), notLetter) {
			if len(w) > 3 {
				total++
				if said[w] {
					hits++
				}
			}
		}
		share := hits / max(total, 1)
		if strings.Contains(description, f.Says) {
			share = 1 + total
		}
		if share > 0 {
			all = append(all, match{f, share})
		}
	}
	slices.SortStableFunc(all, func(a, b match) int { return cmp.Compare(b.share, a.share) })
	var out []features.Feature
	for _, m := range all[:min(related, len(all))] {
		out = append(out, m.Feature)
	}
	return out
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) }

// Allows reports whether a program may be of a class.
func (c PromptContext) Allows(class sdk.Class) bool { return sdk.Allows(c.Allow, class) }

// Calls is the documentation of the SDK functions that a program calls.
func (c PromptContext) Calls(source string) string { return Calls(c.SDK(), source) }

// Rejected is an edit that the validation or the compiler refused.
type Rejected struct {
	Source string `json:"source"` // empty where the reply held no program
	Reason string `json:"reason"` // one line: the loss it led to, or the error
	Effect string `json:"effect"` // in words: what it changed in the program's own first choices; may be empty

	Description string `json:"description,omitempty"` // of the program
}

// StepInput is the input of a code step.
type StepInput struct {
	Gradients  []Gradient
	Persistent []Gradient // momentum: unresolved gradients of earlier rounds
	Rejected   []Rejected // other edits of the same program, in a TextGrad round or in all rounds of Add so far
	Attempt    int        // from 1
	Record     *Record    // how the program does; may be nil
	Accepted   string     // in words: what the last accepted edit of the program won; may be empty
}

// ProposedFailures is how many fault states a proposer is shown: enough to tell modes apart, few enough for a prompt.
const ProposedFailures = 12

// ProposeInput is the input of a proposal for Add.
type ProposeInput struct {
	Failures []Failure         // fault states, each with the scores of the closest heuristic
	Evidence []evidence.Change // features that would bring the closest heuristics nearer to the teacher there
	Bank     []bank.Heuristic
	Modes    int // K of Alg. 2
}

// BackwardRequest asks the critic why h failed in state f, on the code channel; ParseGradient reads the reply.
func BackwardRequest(h bank.Heuristic, f Failure, ctx PromptContext) llm.Request {
	return ctx.request(llm.Critic, "backward_code", struct {
		PromptContext
		Source  string
		TauH    float64
		Failure Failure
	}{ctx, code(unimported(undescribed(h.Source))), h.TauH, f})
}

// BackwardDescriptionRequest asks on the description channel; ParseDescriptionGradient reads the reply. A description
// that is the program's comment is not said twice.
func BackwardDescriptionRequest(h bank.Heuristic, f Failure, ctx PromptContext) llm.Request {
	return ctx.request(llm.Critic, "backward_description", struct {
		PromptContext
		Source, Description string
		Described           bool
		Failure             Failure
	}{ctx, code(unimported(h.Source)), h.Description, strings.Contains(words(h.Source), words(h.Description)), f})
}

// StepRequest asks the writer for a new program from gradients; ParseProgram reads the reply.
func StepRequest(h bank.Heuristic, in StepInput, ctx PromptContext) llm.Request {
	rejected := slices.Clone(in.Rejected)
	for i, r := range rejected {
		rejected[i].Source = code(unimported(undescribed(r.Source)))
	}
	in.Rejected = rejected
	return ctx.request(llm.Writer, "step", struct {
		PromptContext
		StepInput
		Source string
		TauH   float64
	}{ctx, in, code(upToDate(h.Source)), h.TauH})
}

// RewriteInput is the input of a description step.
type RewriteInput struct {
	Gradients []DescriptionGradient
	Rejected  []Rejected       // edits of the program's code, which a description could lead back to
	Others    []bank.Heuristic // of the bank
}

// StepDescriptionRequest asks the writer for a new strategy (phase 2); ParseDescription reads the reply, and
// ImplementRequest follows.
func StepDescriptionRequest(h bank.Heuristic, in RewriteInput, ctx PromptContext) llm.Request {
	return ctx.request(llm.Writer, "step_description", struct {
		PromptContext
		Description, Formula string
		Gradients            []DescriptionGradient
		Tried                []tried
		Bank                 []entry
	}{ctx, h.Description, formula(h), in.Gradients, triedOf(in.Rejected), entries(in.Others)})
}

// tried is a rejected edit as a prompt lists it that does not show its code.
type tried struct {
	Does   string // as in entry
	Reason string
}

// triedOf leaves out replies without a program that could be read.
func triedOf(rejected []Rejected) []tried {
	var all []tried
	for _, r := range rejected {
		if does := cmp.Or(formula(bank.Heuristic{Source: r.Source}), r.Description); does != "" {
			all = append(all, tried{strings.TrimSuffix(does, "."), r.Reason})
		}
	}
	return all
}

// ImplementRequest asks the writer for the program of a description, which takes the place of h; ParseProgram reads the
// reply.
func ImplementRequest(description string, h bank.Heuristic, ctx PromptContext) llm.Request {
	return ctx.request(llm.Writer, "implement", struct {
		PromptContext
		Description, Package, Source string
		TauH                         float64
		Related                      []features.Feature
	}{ctx, description, h.Name, code(undescribed(h.Source)), h.TauH, ctx.relatedTo(description)})
}

// scoreComment matches the comment of Score with the line that it belongs to.
var scoreComment = regexp.MustCompile(`(?m)(^//.*\n)+func Score\(`)

// undescribed returns a source without the comment of Score, the description that another one takes the place of.
func undescribed(source string) string { return scoreComment.ReplaceAllString(source, "func Score(") }

// upToDate returns a source without the comment of Score if that names terms that are gone, since the rest of it may
// still tell of them.
func upToDate(source string) string {
	if heuristic.TellsOfGone(words(source)) {
		return undescribed(source)
	}
	return source
}

// imports matches the imports of a source.
var imports = regexp.MustCompile(`(?m)^import (?:\([^)]*\)|".*")\n+`)

// unimported returns a source without its imports, for prompts that ask for no program.
func unimported(source string) string { return imports.ReplaceAllString(source, "") }

// words returns a text, or the comments and code of a source, as words with single spaces between them.
func words(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "//", " ")), " ")
}

// DescribeRequest asks the writer to describe a program; ParseDescription reads the reply.
func DescribeRequest(source string, ctx PromptContext) llm.Request {
	return ctx.request(llm.Writer, "describe", struct {
		PromptContext
		Source string
	}{ctx, code(unimported(upToDate(source)))})
}

// ProposeRequest asks the proposer to partition faults and write a candidate for each mode (Alg. 2 line 2);
// ParseProposals reads the reply.
func ProposeRequest(in ProposeInput, ctx PromptContext) llm.Request {
	return ctx.request(llm.Proposer, "propose", struct {
		PromptContext
		ProposeInput
		Bank []entry
	}{ctx, in, entries(in.Bank)})
}

// entry is a program of the bank as prompts list it.
type entry struct {
	Name, Does string // what its score is, or its description where that is no weighted sum
}

func entries(heuristics []bank.Heuristic) []entry {
	out := make([]entry, len(heuristics))
	for i, h := range heuristics {
		out[i] = entry{h.Name, cmp.Or(formula(h), h.Description)}
	}
	return out
}

// formula returns the program's score in the words of the SDK, "" where it is no weighted sum. Programs of a bank were
// checked when they came into it.
func formula(h bank.Heuristic) string {
	of, err := h.Formula()
	if err != nil {
		return ""
	}
	return of
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
		Temperature: llm.OmitTemperature, MaxTokens: c.MaxTokens,
	}
	if c.Temperature != nil {
		req.Temperature = *c.Temperature
	}
	return req
}

// code returns a source as prompts show it.
func code(source string) string { return strings.TrimSpace(source) }
