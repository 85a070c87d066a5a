package rollout

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

// record returns a shard of nearest-neighbour tours: two starts on even instances, three on odd ones.
func record(t testing.TB, n, count int, seed uint64) *Shard {
	t.Helper()
	insts := tsp.Generate(n, count, seed)
	sh, err := Record(context.Background(), problems.NearestNeighbour{}, insts,
		func(i int) []routing.Run { return routing.EveryStart(2 + i%2) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func TestRecord(t *testing.T) {
	sh := record(t, 7, 6, 1)
	if err := sh.Validate(); err != nil {
		t.Fatal(err)
	}
	if sh.Instances() != 6 || sh.Trajectories() != 15 || sh.States() != 15*5 {
		t.Errorf("%d instances, %d trajectories, %d states", sh.Instances(), sh.Trajectories(), sh.States())
	}
	for s := range sh.States() {
		st := sh.State(s)
		if len(st.Candidates) != 7-st.Step {
			t.Errorf("state %d of step %d: %d candidates", s, st.Step, len(st.Candidates))
		}
		// Nearest neighbour gives probability 1 to the action that it takes.
		k := slices.Index(st.Candidates, uint16(sh.Actions[st.Traj*7+st.Step]))
		if k < 0 || st.Probs[k] != 1 {
			t.Errorf("state %d: action at %d of %v has probabilities %v", s, k, st.Candidates, st.Probs)
		}
	}
}

func TestRecordOnAnyNumberOfCores(t *testing.T) {
	var files [][]byte
	for _, procs := range []int{1, 4} {
		old := runtime.GOMAXPROCS(procs)
		data, err := record(t, 9, 30, 2).Marshal()
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("1 and 4 cores give different bytes")
	}
}

func TestRecordRefuses(t *testing.T) {
	one := func(int) []routing.Run { return []routing.Run{{Start: 0}} }
	nan := tsp.Generate(5, 2, 1)
	nan[1].Coords[3] = float32(math.NaN())
	for want, insts := range map[string][]routing.Instance{
		"no instances":                nil,
		"a shard holds one size":      append(tsp.Generate(5, 1, 1), tsp.Generate(6, 1, 1)...),
		"node 1 has coordinate NaN":   nan,
		"want at least 3":             {{Name: "pair", Problem: routing.TSP, Coords: make([]float32, 4)}},
		"this is cvrp, the first ins": append(tsp.Generate(6, 1, 1), cvrp.Generate(5, 1, 1)...),
		"are at the same place":       {{Name: "dots", Problem: routing.TSP, Coords: make([]float32, 8)}},
		"start node 9, want 0..4":     tsp.Generate(5, 1, 1),
		"nearest-neighbour: instance": tsp.Generate(5, 1, 1),
	} {
		runs := one
		if strings.HasPrefix(want, "start") || strings.HasPrefix(want, "nearest") {
			runs = func(int) []routing.Run { return []routing.Run{{Start: 9}} }
		}
		if _, err := Record(context.Background(), problems.NearestNeighbour{}, insts, runs, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func equal(a, b *Shard) bool {
	return a.Problem == b.Problem && a.Teacher == b.Teacher && a.N == b.N && same[float32](a.Coords, b.Coords) &&
		slices.Equal(a.InstanceOf, b.InstanceOf) && slices.Equal(a.Actions, b.Actions) &&
		same[float32](a.StartProbs, b.StartProbs) && slices.Equal(a.Traj, b.Traj) &&
		slices.Equal(a.Step, b.Step) && slices.Equal(a.Offset, b.Offset) &&
		slices.Equal(a.Candidates, b.Candidates) && same[float32](a.Probs, b.Probs) &&
		same[int32](a.Demand, b.Demand) && slices.Equal(a.Capacity, b.Capacity) &&
		slices.Equal(a.ActionOffset, b.ActionOffset) &&
		slices.Equal(a.Remaining, b.Remaining) &&
		a.ViaDepot == b.ViaDepot
}

// same reports whether two tensors have the same shape and elements, or both are missing.
func same[T comparable](a, b *tensor.Dense) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Shape(), b.Shape()) && slices.Equal(dense.Open[T](a), dense.Open[T](b))
}

func TestCodec(t *testing.T) {
	sh := record(t, 8, 4, 3)
	plain, err := sh.Encode()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := sh.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{plain, packed} {
		back, err := Unmarshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if !equal(sh, back) {
			t.Error("the shard changed on its way through a file")
		}
		if _, err := Unmarshal(data[:len(data)-5]); err == nil {
			t.Error("a truncated shard was read")
		}
	}
	if again, _ := sh.Marshal(); !bytes.Equal(packed, again) {
		t.Error("equal shards give different bytes")
	}
}

func TestSliceAndConcat(t *testing.T) {
	sh := record(t, 6, 5, 4)
	for k := range 6 {
		head, tail := sh.Slice(0, k), sh.Slice(k, sh.Instances())
		if head.Instances() != k || tail.Instances() != 5-k {
			t.Fatalf("split at %d gives %d and %d instances", k, head.Instances(), tail.Instances())
		}
		for _, part := range []*Shard{head, tail} {
			if err := part.Validate(); err != nil {
				t.Errorf("split at %d: %v", k, err)
			}
		}
		back, err := Concat(head, tail)
		if err != nil || !equal(sh, back) {
			t.Errorf("split at %d and concatenated: not the same shard (%v)", k, err)
		}
	}
	if _, err := Concat(sh, record(t, 7, 1, 4)); err == nil {
		t.Error("shards of two sizes were concatenated")
	}
	if _, err := Concat(); err == nil {
		t.Error("nothing was concatenated")
	}
}

// Some states of a shard are what they are among all.
func TestOnly(t *testing.T) {
	for name, sh := range map[string]*Shard{
		"tours": record(t, 6, 5, 4), "routes": recordCVRP(t, problems.NearestNeighbour{}, 6, 5, 4),
	} {
		states := []int{1, 2, 5}
		some := sh.Only(states)
		all, err := sh.Walk()
		if err != nil {
			t.Fatal(err)
		}
		walk, err := some.Walk()
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range states {
			if got, want := some.State(i), sh.State(s); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: state %d is %+v, want %+v", name, s, got, want)
			}
			want, err := all.Decision(s)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := walk.Decision(i); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: state %d decides on %+v (%v), want %+v", name, s, got, err, want)
			}
		}
		flat := some.flat()
		for _, a := range flat.arrays() {
			if err := check(a, flat.size()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if some.States() != len(states) || some.Instances() != sh.Instances() {
			t.Errorf("%s: %d states of %d instances", name, some.States(), some.Instances())
		}
	}
}

func TestValidateNamesTheFault(t *testing.T) {
	for want, spoil := range map[string]func(sh *Shard){
		"trajectory 3: step 2: action":    func(sh *Shard) { sh.Actions[3*6+2] = sh.Actions[3*6] },
		"trajectory 1: step 0: action -1": func(sh *Shard) { sh.Actions[1*6] = -1 },
		"state 5 (step 2): probability 1 is NaN": func(sh *Shard) {
			dense.Open[float32](sh.Probs)[sh.Offset[5]+1] = float32(math.NaN())
		},
		"state 6 (step 3): probabilities sum to 1.5": func(sh *Shard) {
			p := sh.State(6).Probs
			clear(p)
			p[0], p[1] = 1, 0.5
		},
		"state 0 (step 1): probability 0 is -1": func(sh *Shard) { sh.State(0).Probs[0] = -1 },
		"state 2 (step 3): candidates": func(sh *Shard) {
			c := sh.State(2).Candidates
			c[0], c[1] = c[1], c[0]
		},
		"trajectory 2: start: probabilities sum":    func(sh *Shard) { sh.StartRow(2)[0] = 0.25 },
		"trajectory 0: start: probability 1 is NaN": func(sh *Shard) { sh.StartRow(0)[1] = float32(math.NaN()) },
		"trajectory 4: instance 77":                 func(sh *Shard) { sh.InstanceOf[4] = 77 },
		"instance 1: node 0 has coordinate +Inf": func(sh *Shard) {
			sh.Instance(1).Coords[0] = float32(math.Inf(1))
		},
		"trajectory 1: state 4: step 9": func(sh *Shard) { sh.Step[4] = 9 },
		"is out of order":               func(sh *Shard) { sh.Traj[4] = 99 },
		"array actions has":             func(sh *Shard) { sh.Actions = sh.Actions[1:] },
		"state 3: offset falls":         func(sh *Shard) { sh.Offset[3] = sh.Offset[4] + 1 },
		"offset runs from":              func(sh *Shard) { sh.Offset[0] = 1 },
		`problem "vrp"`:                 func(sh *Shard) { sh.Problem = "vrp" },
		"array coords modulo 2N has 1 elements": func(sh *Shard) {
			sh.Coords = dense.Vector(append(dense.Open[float32](sh.Coords), 0))
		},
		"array coords has shape [36], want [3 6 2]": func(sh *Shard) {
			sh.Coords = dense.Vector(dense.Open[float32](sh.Coords))
		},
		"array start_probs has shape [6 7], want [7 6]": func(sh *Shard) {
			sh.StartProbs = dense.Of(dense.Open[float32](sh.StartProbs), 6, 7)
		},
		"array start_probs has 0 elements, want 42": func(sh *Shard) { sh.StartProbs = nil },
		"array probs has type float64, want float32": func(sh *Shard) {
			sh.Probs = dense.Vector(make([]float64, len(sh.Candidates)))
		},
		"array demand has 18 elements, want 0":     func(sh *Shard) { sh.Demand = dense.Of(make([]int32, 18), 3, 6) },
		"nearest-neighbour: 2 nodes, want 3..1024": func(sh *Shard) { sh.N = 2 },
		"state 1 (step 2): candidate 9 is infeasible": func(sh *Shard) {
			sh.Candidates = slices.Insert(sh.Candidates, int(sh.Offset[2]), 9)
			insertAt(sh, 1)
		},
	} {
		sh := record(t, 6, 3, 5)
		spoil(sh)
		if err := sh.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// insertAt inserts a place for a candidate at the end of state s.
func insertAt(sh *Shard, s int) {
	sh.Probs = dense.Vector(slices.Insert(dense.Open[float32](sh.Probs), int(sh.Offset[s+1]), 0))
	for i := s + 1; i < len(sh.Offset); i++ {
		sh.Offset[i]++
	}
}

// TestShapes: the tensors of a shard have their shapes, whether it was recorded, cut, joined or read. In a file they
// may be vectors.
func TestShapes(t *testing.T) {
	check := func(sh *Shard) {
		t.Helper()
		I, R, N, C := sh.Instances(), sh.Trajectories(), sh.N, len(sh.Candidates)
		if err := cmp.Or(
			dense.Check[float32]("coords", sh.Coords, I, N, 2), dense.Check[float32]("probs", sh.Probs, C),
		); err != nil {
			t.Error(err)
		}
		if sh.ragged() {
			if err := dense.Check[int32]("demand", sh.Demand, I, N); err != nil || sh.StartProbs != nil {
				t.Errorf("routes: %v; start_probs %v, want none", err, sh.StartProbs)
			}
		} else if err := dense.Check[float32]("start_probs", sh.StartProbs, R, N); err != nil || sh.Demand != nil {
			t.Errorf("tours: %v; demand %v, want none", err, sh.Demand)
		}
	}
	for _, whole := range []*Shard{record(t, 6, 3, 5), recordCVRP(t, viaPolicy{}, 9, 3, 3)} {
		check(whole)
		head, none := whole.Slice(0, 2), whole.Slice(1, 1)
		check(head)
		check(none)
		joined, err := Concat(none, head)
		if err != nil {
			t.Fatal(err)
		}
		check(joined)
		tensors := whole.flat().tensors()
		for k := range tensors {
			tensors[k].Dense = tensor.New(tensor.WithShape(len(dense.Bytes(tensors[k].Dense))/
				int(tensors[k].Dtype().Size())), tensor.WithBacking(tensors[k].Data()))
		}
		data, err := safetensors.Encode(tensors, whole.metadata())
		if err != nil {
			t.Fatal(err)
		}
		read, err := Unmarshal(data)
		if err != nil || !equal(whole, read) {
			t.Fatalf("read from a file of vectors: %v, and not the same", err)
		}
	}
}

// A file whose tensors have other shapes than a shard's is refused: their elements would be taken for others.
func TestUnmarshalRefusesShapes(t *testing.T) {
	tours, routes := record(t, 6, 3, 5), recordCVRP(t, viaPolicy{}, 9, 3, 3)
	for _, c := range []struct {
		sh    *Shard
		name  string
		shape func(n int) []int // of n elements
		want  string
	}{
		{tours, "coords", func(n int) []int { return []int{n / 12, 2, 6} },
			"tensor coords has shape [3 2 6], want [I 6 2]"},
		{tours, "coords", func(n int) []int { return []int{n / 6, 6} }, "tensor coords has shape [6 6], want [I 6 2]"},
		{tours, "actions", func(n int) []int { return []int{6, n / 6} }, "tensor actions has shape [6 7], want [R 6]"},
		{tours, "offset", func(n int) []int { return []int{1, n} }, "tensor offset has shape [1 29], want [S+1]"},
		{tours, "probs", func(n int) []int { return []int{n, 1} }, "tensor probs has shape [98 1], want [E]"},
		{routes, "demand", func(n int) []int { return []int{10, n / 10} },
			"tensor demand has shape [10 3], want [I 10]"},
	} {
		tensors := c.sh.flat().tensors()
		for k := range tensors {
			if x := tensors[k].Dense; tensors[k].Name == c.name {
				tensors[k].Dense = tensor.New(tensor.WithShape(c.shape(x.Size())...), tensor.WithBacking(x.Data()))
			}
		}
		data, err := safetensors.Encode(tensors, c.sh.metadata())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Unmarshal(data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}

// FuzzUnmarshal: any bytes give an error or a shard that can be checked.
func FuzzUnmarshal(f *testing.F) {
	sh := record(f, 5, 2, 1)
	plain, _ := sh.Encode()
	packed, _ := sh.Marshal()
	f.Add(plain)
	f.Add(packed)
	cvrp, _ := recordCVRP(f, viaPolicy{}, 5, 2, 1).Encode()
	f.Add(cvrp)
	f.Fuzz(func(t *testing.T, data []byte) {
		if sh, err := Unmarshal(data); err == nil {
			_ = sh.Validate()
		}
	})
}

// TestBytesStay protects the names of stored shards: the same TSP rollouts must give the bytes of every earlier
// release.
func TestBytesStay(t *testing.T) {
	data, err := record(t, 7, 3, 1).Encode()
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%x", sha256.Sum256(data))
	if got != "3f778eecd92ae3882f2e5dff4739e5f00c7593e57ece3db49514b16816f780a8" {
		t.Errorf("SHA-256 %s", got)
	}
}
