package textgrad

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/agreement"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/evidence"
	"github.com/epb-nco/epb/internal/habits"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
)

// Record is how a program does on recent training states, and where it is trusted: its niche, the states in which it
// has the largest weight of the bank. A program that has it nowhere is judged on all states.
type Record struct {
	States      int     // looked at
	Weight      float64 // its mean weight there
	Niche       Tally
	NicheWeight float64 // its mean weight in its niche
	Trusted     bool    // it has a niche
	Faults      bool    `json:",omitempty"` // of a candidate of Add: the states are those that no program gets right

	Stages [habits.Stages]Tally // the niche by habits.FifthOfActions
	Ranks  [4]Tally             // by how many candidates are nearer than the teacher's pick: none, one, two, more
	Ties   int                  // misses in the niche where the teacher itself is undecided

	Right    []Failure         // states of the niche that are right by the narrowest margin
	Evidence []evidence.Change // features that would change the loss there if they became terms
}

// Tally counts states and those of them in which a first choice is the teacher's.
type Tally struct{ States, Right int }

// Share is the right ones as a share of all, 0 of none.
func (t Tally) Share() float64 { return float64(t.Right) / float64(max(t.States, 1)) }

func (t *Tally) add(right bool) {
	t.States++
	if right {
		t.Right++
	}
}

// AlongTheWay says what is right in each part of the way that has states: "0–20 %: 80.0 % of 60; …".
func (r Record) AlongTheWay() string { return tallied(r.Stages[:], habits.Stretch) }

// ByPick says what is right by how near the teacher's pick is: "the nearest: 97.5 % of 80; …".
func (r Record) ByPick() string {
	return tallied(r.Ranks[:], func(k int) string { return rankWords[k] })
}

// rankWords name the elements of Record.Ranks.
var rankWords = []string{"the nearest", "the second nearest", "the third nearest", "a farther one"}

// tallied lists the tallies that have states, each after its name.
func tallied(all []Tally, name func(int) string) string {
	var parts []string
	for k, t := range all {
		if t.States > 0 {
			parts = append(parts, fmt.Sprintf("%s: %.1f %% of %d", name(k), 100*t.Share(), t.States))
		}
	}
	return strings.Join(parts, "; ")
}

// Seen is a shard of states with what the programs of a bank and its router do there.
type Seen struct {
	agreement.Agreements
	W *tensor.Dense // [S,M] weights of the programs; a state that has none for any of them does not count
}

// mustStay is how many states a prompt shows that are right and must stay right.
const mustStay = 3

// NewRecord returns the record of program m, without evidence, and the states of its niche in each shard.
func NewRecord(seen []Seen, m int) (Record, [][]int32) {
	var r Record
	niche, counted := make([][]int32, len(seen)), make([][]int32, len(seen))
	for i, x := range seen {
		M := len(x.Each)
		w := dense.Must[float32]("textgrad: weights", x.W, x.Shard.States(), M)
		for s := range x.Shard.States() {
			row := w[s*M : (s+1)*M]
			top := agreement.Argmax(row)
			if row[top] == 0 {
				continue
			}
			r.States++
			r.Weight += float64(row[m])
			counted[i] = append(counted[i], int32(s))
			if top == m {
				r.NicheWeight += float64(row[m])
				niche[i] = append(niche[i], int32(s))
				r.Trusted = true
			}
		}
	}
	if !r.Trusted {
		niche, r.NicheWeight = counted, r.Weight
	}
	var margins []margin
	for i, x := range seen {
		for _, s := range niche[i] {
			if lead, ok := r.count(x, i, m, int(s)); ok {
				margins = append(margins, lead)
			}
		}
	}
	r.Weight /= float64(max(r.States, 1))
	r.NicheWeight /= float64(max(r.Niche.States, 1))
	slices.SortStableFunc(margins, func(a, b margin) int { return cmp.Compare(a.by, b.by) })
	for _, at := range margins[:min(mustStay, len(margins))] {
		x := seen[at.shard]
		r.Right = append(r.Right, NewFailure(x.Shard, at.state, x.DistributionAt(m, int32(at.state))))
	}
	return r, niche
}

// margin is by how much a right first choice leads in the program's distribution.
type margin struct {
	shard, state int
	by           float32
}

// count adds a state of the niche, and returns its margin and true if it is right and the teacher is decided.
func (r *Record) count(x Seen, shard, m, s int) (margin, bool) {
	st, right := x.Shard.State(s), x.Each[m].Hits.Has(s)
	r.Niche.add(right)
	r.Stages[habits.FifthOfActions(x.Shard, s)].add(right)
	r.Ranks[min(nearer(x.Shard, s), len(r.Ranks)-1)].add(right)
	tie := habits.IsNearTie(st.Probs)
	switch {
	case tie && !right:
		r.Ties++
	case right && !tie && len(st.Candidates) > 1:
		Vm := x.DistributionAt(m, int32(s))
		first, second := routing.TopTwo(Vm)
		return margin{shard, s, Vm[first] - Vm[second]}, true
	}
	return margin{}, false
}

// nearer counts the candidates that are nearer to the current node than the teacher's pick.
func nearer(sh *rollout.Shard, s int) int {
	st := sh.State(s)
	in := sh.Instance(int(sh.InstanceOf[st.Traj]))
	g := measures[sh.Problem](&in, st, sh.Tour(st.Traj)[:st.Step])
	pick, _ := routing.TopTwo(st.Probs)
	n := 0
	for k := range st.Candidates {
		if g.way(k) < g.way(pick) {
			n++
		}
	}
	return n
}

// Effect is what an edit changes in a program's own first choices, on validation states.
type Effect struct {
	Before, After [habits.Stages]Tally
	Won, Lost     int // states that became right, and wrong
}

// Add counts the states of a shard.
func (e *Effect) Add(sh *rollout.Shard, before, after agreement.Agreement) {
	for s := range sh.States() {
		k := habits.FifthOfActions(sh, s)
		was, is := before.Hits.Has(s), after.Hits.Has(s)
		e.Before[k].add(was)
		e.After[k].add(is)
		switch {
		case is && !was:
			e.Won++
		case was && !is:
			e.Lost++
		}
	}
}

// String says the effect in a line, with what is noise: of so many states that change, one more or less each way is
// chance up to the square root of their number.
func (e Effect) String() string {
	var before, after Tally
	stages := ""
	for k := range e.Before {
		before = Tally{before.States + e.Before[k].States, before.Right + e.Before[k].Right}
		after = Tally{after.States + e.After[k].States, after.Right + e.After[k].Right}
		if e.Before[k].States > 0 {
			stages += fmt.Sprintf(", %.1f → %.1f", 100*e.Before[k].Share(), 100*e.After[k].Share())
		}
	}
	if stages == "" {
		return ""
	}
	return fmt.Sprintf("its own first choice was right in %.1f %% of %d validation states and is in %.1f %% "+
		"(by fifths of the way%s); %d states won, %d lost, and a difference of up to %.0f is noise",
		100*before.Share(), before.States, 100*after.Share(), stages, e.Won, e.Lost,
		math.Sqrt(float64(e.Won+e.Lost)))
}
