package rollout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/safetensors"
)

// axis is a kind of thing in a shard: an array has one row for each, or its elements are indices of them.
type axis int

const (
	none axis = iota
	instances
	trajectories
	actions
	states
	candidates
)

// letters name the lengths of the axes, as Encode's comment does.
var letters = [...]string{"", "I", "R", "A", "S", "E"}

// of returns the length of an axis.
func (s Size) of(a axis) int {
	return [...]int{0, s.Instances, s.Trajectories, s.Actions, s.States, s.Candidates}[a]
}

// array is one array of a shard: its name in files, and how its rows relate to other arrays. This one list serves the
// file format, the checks, and cutting and joining shards.
type array interface {
	describe() layout
	length() int
	tensor() safetensors.Tensor
	// take moves the tensor of its name out of the map into the array. The tensor has the array's shape or is a vector.
	take(map[string]safetensors.Tensor) error
	// after makes the array continue one of a shard of size s. Of bounds the first is then left out: it is the last
	// before.
	after(s Size)
	// join appends an array that continues this one.
	join(next array)
	// cut keeps the rows between the sizes from and to.
	cut(from, to Size)
}

// layout is the layout of an array. With three trajectories of 2, 2 and 4 actions, action_offset has rows for
// trajectories and bounds, and numbers actions: 0 2 4 8.
type layout struct {
	name    string
	absent  bool // the problem has no such array: it is empty
	rows    axis
	shape   []int // of a row
	bounds  bool  // one element more than rows: row k is bounded by elements k and k+1
	numbers axis  // what the elements are numbers of, if of anything
}

// width returns the number of elements of a row.
func (l layout) width() int {
	width := 1
	for _, d := range l.shape {
		width *= d
	}
	return width
}

// words returns the shape of the array, with a letter for the number of its rows: [I 20 2].
func (l layout) words() string {
	rows := letters[l.rows]
	if l.bounds {
		rows += "+1"
	}
	return "[" + strings.Join(strings.Fields(rows+" "+strings.Trim(fmt.Sprint(l.shape), "[]")), " ") + "]"
}

// more is the number of elements beyond those of the rows.
func (l layout) more() int {
	if l.bounds {
		return 1
	}
	return 0
}

// arrays lists the shard's arrays, those among them that its problem does not have included.
func (f *flat) arrays() []array {
	t := problems.Must(f.Problem).Traits()
	tour, routes := !t.Depot, t.Depot
	step := layout{name: "actions", rows: trajectories, shape: []int{f.N}}
	if routes {
		step = layout{name: "actions", rows: actions}
	}
	return []array{
		elements[float32]{layout{name: "coords", rows: instances, shape: []int{f.N, 2}}, &f.coords},
		elements[int32]{layout{name: "instance_of", rows: trajectories, numbers: instances}, &f.InstanceOf},
		elements[int32]{layout{name: "traj", rows: states, numbers: trajectories}, &f.Traj},
		elements[int32]{layout{name: "step", rows: states}, &f.Step},
		elements[int64]{layout{name: "offset", rows: states, bounds: true, numbers: candidates}, &f.Offset},
		elements[uint16]{layout{name: "candidates", rows: candidates}, &f.Candidates},
		elements[float32]{layout{name: "probs", rows: candidates}, &f.probs},
		elements[int32]{layout{name: "demand", absent: !t.Load, rows: instances, shape: []int{f.N}}, &f.demand},
		elements[int32]{layout{name: "capacity", absent: !t.Load, rows: instances}, &f.Capacity},
		elements[int32]{step, &f.Actions},
		elements[int64]{layout{
			name: "action_offset", absent: tour, rows: trajectories, bounds: true, numbers: actions,
		}, &f.ActionOffset},
		elements[int32]{layout{name: "remaining", absent: !t.Load, rows: states}, &f.Remaining},
		elements[float32]{layout{
			name: "start_probs", absent: routes, rows: trajectories, shape: []int{f.N},
		}, &f.startProbs},
	}
}

// held returns the arrays that the shard's problem has.
func (f *flat) held() []array {
	return slices.DeleteFunc(f.arrays(), func(a array) bool { return a.describe().absent })
}

// elements is an array of numbers.
type elements[T float32 | int32 | int64 | uint16] struct {
	layout
	values *[]T
}

func (e elements[T]) describe() layout { return e.layout }
func (e elements[T]) length() int      { return len(*e.values) }

func (e elements[T]) tensor() safetensors.Tensor {
	return safetensors.New(e.name, *e.values, append([]int{len(*e.values) / e.width()}, e.shape...)...)
}

func (e elements[T]) take(byName map[string]safetensors.Tensor) error {
	t, ok := byName[e.name]
	if !ok {
		return fmt.Errorf("tensor %s is missing", e.name)
	}
	delete(byName, e.name)
	if got := t.Shape(); len(got) != 1 && (len(got) == 0 || !slices.Equal(got[1:], e.shape)) {
		return fmt.Errorf("tensor %s has shape %v, want %s", e.name, []int(got), e.words())
	}
	v, err := safetensors.Values[T](t)
	*e.values = v
	return err
}

func (e elements[T]) after(s Size) {
	if e.bounds {
		*e.values = (*e.values)[1:]
	}
	e.renumber(int64(s.of(e.numbers)))
}

func (e elements[T]) join(next array) {
	*e.values = append(*e.values, *next.(elements[T]).values...)
}

func (e elements[T]) cut(from, to Size) {
	width := e.width()
	*e.values = (*e.values)[from.of(e.rows)*width : to.of(e.rows)*width+e.more()]
	e.renumber(-int64(from.of(e.numbers)))
}

// renumber adds to the numbers, in a copy.
func (e elements[T]) renumber(by int64) {
	if e.numbers == none {
		return
	}
	*e.values = slices.Clone(*e.values)
	for k := range *e.values {
		(*e.values)[k] += T(by)
	}
}

// check reports a length that does not fit the shard's size.
func check(a array, s Size) error {
	l := a.describe()
	want := s.of(l.rows)*l.width() + l.more()
	if l.absent {
		want = 0
	}
	if got := a.length(); got != want {
		return fmt.Errorf("array %s has %d elements, want %d", l.name, got, want)
	}
	return nil
}

// ragged says whether trajectories differ in length, as routes do, while tours are rows of N actions.
func (sh *Shard) ragged() bool { return sh.ActionOffset != nil }
