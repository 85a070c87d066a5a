package rollout

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

// file is a set of tensors in the plain layout.
type file struct {
	tensors map[string]safetensors.Tensor
	meta    map[string]string
}

func (f file) set(t safetensors.Tensor) { f.tensors[t.Name] = t }

func (f file) encode(t testing.TB) []byte {
	t.Helper()
	var list []safetensors.Tensor
	for _, tensor := range f.tensors {
		list = append(list, tensor)
	}
	data, err := safetensors.Encode(list, f.meta)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// plainFile returns a shard in the plain layout, with dense rows of distributions.
func plainFile(t testing.TB, sh *Shard) file {
	t.Helper()
	n, width, T := sh.N, sh.N, 0
	if sh.ViaDepot {
		width *= 2
	}
	for r := range sh.Trajectories() {
		T = max(T, len(sh.Tour(r)))
	}
	actions, probs := make([]int64, sh.Trajectories()*T), make([]float32, sh.Trajectories()*T*width)
	for r := range sh.Trajectories() {
		for k, a := range sh.Tour(r) {
			actions[r*T+k] = int64(a)
		}
		if sh.Problem == routing.TSP {
			copy(probs[r*T*width:], sh.StartRow(r))
		}
	}
	for s := range sh.States() {
		st := sh.State(s)
		for k, c := range st.Candidates {
			probs[(st.Traj*T+st.Step)*width+int(c)] = st.Probs[k]
		}
	}
	f := file{map[string]safetensors.Tensor{}, map[string]string{"teacher": sh.Teacher}}
	f.set(safetensors.Tensor{Name: "coords", Dense: sh.Coords})
	f.set(safetensors.New("actions", actions, sh.Trajectories(), T))
	f.set(safetensors.New("probs", probs, sh.Trajectories(), T, width))
	f.set(safetensors.New("instance_of", sh.InstanceOf, sh.Trajectories()))
	if sh.Problem == routing.CVRP {
		demand := make([]float32, sh.Instances()*n)
		for i, d := range dense.Open[int32](sh.Demand) {
			demand[i] = float32(d)
		}
		f.set(safetensors.New("demand", demand, sh.Instances(), n))
		f.set(safetensors.New("capacity", sh.Capacity, sh.Instances()))
	}
	return f
}

// TestImport: a file in the plain layout gives the shard that it was made from, and a shard's own file gives that
// shard.
func TestImport(t *testing.T) {
	for _, sh := range []*Shard{record(t, 7, 4, 1), recordCVRP(t, problems.NearestNeighbour{}, 8, 4, 2),
		recordCVRP(t, viaPolicy{}, 8, 4, 2)} {
		got, err := Import(plainFile(t, sh).encode(t))
		if err != nil || !equal(sh, got) {
			t.Errorf("%s: the plain layout gives another shard (%v)", sh.Teacher, err)
		}
		own, err := sh.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if got, err = Import(own); err != nil || !equal(sh, got) {
			t.Errorf("%s: the shard's own file gives another shard (%v)", sh.Teacher, err)
		}
	}
}

// TestImportWithoutTrajectories: an instance need not have any.
func TestImportWithoutTrajectories(t *testing.T) {
	for _, p := range []routing.Policy{problems.NearestNeighbour{}, viaPolicy{}} {
		sh := recordCVRP(t, p, 8, 4, 2)
		f, whole := plainFile(t, sh.Slice(1, 3)), plainFile(t, sh) // the first and the last instance have none
		f.set(safetensors.New("instance_of", []int32{1, 1, 2, 2}, 4))
		for _, name := range []string{"coords", "demand", "capacity"} {
			f.set(whole.tensors[name])
		}
		got, err := Import(f.encode(t))
		if err != nil {
			t.Errorf("%s: %v", p.Name(), err)
			continue
		}
		if want := []int32{1, 1, 2, 2}; got.Instances() != 4 || !slices.Equal(got.InstanceOf, want) ||
			got.ViaDepot != sh.ViaDepot || got.States() != sh.Slice(1, 3).States() {
			t.Errorf("%s: instances %v of %d, by way of the depot %v, %d states", p.Name(), got.InstanceOf,
				got.Instances(), got.ViaDepot, got.States())
		}
	}
}

// TestImportIdentity imports a file without instance_of and metadata.
func TestImportIdentity(t *testing.T) {
	insts := cvrp.Generate(3, 2, 1)
	f := file{map[string]safetensors.Tensor{}, nil}
	f.set(safetensors.New("coords", slices.Concat(insts[0].Coords, insts[1].Coords), 2, 4, 2))
	f.set(safetensors.New("demand", []int32{0, 3, 3, 3, 0, 4, 4, 4}, 2, 4))
	f.set(safetensors.New("capacity", []int32{9, 9}, 2))
	// The first is padded as RL4CO does, the second begins at the depot as POMO does.
	f.set(safetensors.New("actions", []int32{3, 1, 2, 0, 0, 0, 0, 1, 2, 0, 3, -1}, 2, 6))
	f.set(safetensors.New("probs", []float64{
		0, .25, .25, .5, .5, .25, .25, 0, .5, 0, .5, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 0, .5, 0, .25, .25, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
	}, 2, 6, 4))
	sh, err := Import(f.encode(t))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sh.Tour(0), []int32{3, 1, 2, 0}) || !slices.Equal(sh.Tour(1), []int32{1, 2, 0, 3, 0}) ||
		sh.Teacher != "imported" {
		t.Errorf("%s: %v, %v", sh.Teacher, sh.Tour(0), sh.Tour(1))
	}
	if !slices.Equal(sh.Traj, []int32{0, 0, 0, 1}) || !slices.Equal(sh.Step, []int32{0, 1, 2, 1}) {
		t.Errorf("states %v of trajectories %v", sh.Step, sh.Traj)
	}
}

func TestImportNamesTheFault(t *testing.T) {
	for want, spoil := range map[string]func(f file){
		"tensor coords is missing": func(f file) { delete(f.tensors, "coords") },
		"tensor probs is missing":  func(f file) { delete(f.tensors, "probs") },
		"unknown tensor rewards": func(f file) {
			f.set(safetensors.New("rewards", []float32{1}, 1))
		},
		"tensor coords has shape [32 2], want 3 dimensions": func(f file) { reshape(f, "coords", 32, 2) },
		"tensor coords has shape [4 16 1], want [instances, nodes, 2]": func(f file) {
			reshape(f, "coords", 4, 16, 1)
		},
		"tensor actions has shape [0 10]": func(f file) {
			f.set(safetensors.New("actions", []int32{}, 0, 10))
		},
		"tensor actions: element 0 is 0.5": func(f file) {
			f.set(safetensors.New("actions", []float64{0.5}, 1, 1))
		},
		"tensor coords: type I32, want F32": func(f file) {
			f.set(safetensors.New("coords", []int32{1, 2}, 1, 1, 2))
		},
		"instance_of must tell which belongs to which": func(f file) { delete(f.tensors, "instance_of") },
		"trajectory 1: instance 9, want 0..3": func(f file) {
			f.set(safetensors.New("instance_of", []int32{0, 9, 1, 1, 2, 2, 3, 3}, 8))
		},
		"trajectory 3: instance 0 after instance 1": func(f file) {
			f.set(safetensors.New("instance_of", []int32{0, 0, 1, 0, 2, 2, 3, 3}, 8))
		},
		`problem "vrptw", want ` + problems.Names():               func(f file) { f.meta["problem"] = "vrptw" },
		"demand and capacity are for cvrp, the metadata says tsp": func(f file) { f.meta["problem"] = "tsp" },
		"tensor capacity has shape [], want [4]":                  func(f file) { delete(f.tensors, "capacity") },
		"instance 2: node 3 has demand 99, above the capacity": func(f file) {
			edit(f, "demand", func(d []float32, n int) { d[2*n+3] = 99 })
		},
		"instance 0: capacity -1": func(f file) {
			f.set(safetensors.New("capacity", []int32{-1, 9, 9, 9}, 4))
		},
		"trajectory 1: instance 0: route 1 carries": func(f file) {
			edit(f, "actions", func(a []int64, T int) { merge(a[T : 2*T]) })
		},
		"trajectory 2: instance 1: customer": func(f file) {
			edit(f, "actions", func(a []int64, T int) { a[2*T] = a[2*T+1] })
		},
		"trajectory 0: instance 0: position 1 holds node 80": func(f file) {
			edit(f, "actions", func(a []int64, T int) { a[1] = 80 })
		},
	} {
		f := plainFile(t, recordCVRP(t, problems.NearestNeighbour{}, 8, 4, 2))
		spoil(f)
		if sh, err := Import(f.encode(t)); err == nil || !strings.Contains(err.Error(), want) || sh != nil {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for want, spoil := range map[string]func(p []float32, row int){
		"instance 0, run 0: step 2: probability 0.5 on action": func(p []float32, row int) {
			clear(p[2*row : 3*row])
			p[2*row+spot(p[:row])], p[2*row] = .5, .5
		},
		"state 2 (step 2): probabilities sum to 1.25": func(p []float32, row int) { p[2*row] += .25 },
		"run 0: step 3: probability -1":               func(p []float32, row int) { p[3*row] = -1 },
		"run 0: step 0: action":                       func(p []float32, row int) { other(p[:row]) },
	} {
		f := plainFile(t, recordCVRP(t, problems.NearestNeighbour{}, 8, 4, 2))
		edit(f, "probs", func(p []float32, _ int) { spoil(p, 9) })
		if sh, err := Import(f.encode(t)); err == nil || !strings.Contains(err.Error(), want) || sh != nil {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for want, spoil := range map[string]func(f file){
		"trajectory 1: instance 0: node": func(f file) { edit(f, "actions", func(a []int64, T int) { a[T+1] = a[T] }) },
		"tensor actions has shape [4 6], want [4 7]": func(f file) {
			f.set(safetensors.New("actions", make([]int32, 4*6), 4, 6))
			f.set(safetensors.New("probs", make([]float32, 4*6*7), 4, 6, 7))
			f.set(safetensors.New("instance_of", []int32{0, 1, 2, 3}, 4))
		},
		"state 1 (step 2): probabilities sum to 0": func(f file) {
			edit(f, "probs", func(p []float32, _ int) { clear(p[14:21]) })
		},
		"run 0: step 2: probability 0.5 of node 0": func(f file) {
			edit(f, "probs", func(p []float32, _ int) { p[2*7] = .5 })
		},
		"run 0: step 2: probability -2 of node 0": func(f file) {
			edit(f, "probs", func(p []float32, _ int) { p[2*7] = -2 })
		},
		"run 0: step 1: action": func(f file) {
			edit(f, "probs", func(p []float32, _ int) { other(p[7:14]) })
		},
		"instance 2: node 5 has coordinate 1.5": func(f file) {
			edit(f, "coords", func(c []float32, n int) { c[2*(2*n+5)+1] = 1.5 })
		},
		"tensor probs has shape [10 7 14], want": func(f file) {
			f.set(safetensors.New("probs", make([]float32, 10*7*14), 10, 7, 14))
		},
	} {
		f := plainFile(t, record(t, 7, 4, 1))
		spoil(f)
		if sh, err := Import(f.encode(t)); err == nil || !strings.Contains(err.Error(), want) || sh != nil {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Import([]byte("no safetensors at all")); err == nil {
		t.Error("something else was imported")
	}
}

// TestImportMakesNoRoomInVain: a small file that promises tours of many nodes is refused before there is room for them.
// Its 200 tours would take 600 MB.
func TestImportMakesNoRoomInVain(t *testing.T) {
	const N, R = 1024, 200
	insts := tsp.Generate(N, 1, 1)
	for want, shape := range map[string][2]int{ // of a row's actions, and of the distribution before each
		"tensor actions has shape [200 1], want [200 1024]":         {1, 1},
		"tensor probs has shape [200 1024 1], want [200 1024 1024]": {N, 1},
	} {
		T, width := shape[0], shape[1]
		f := file{map[string]safetensors.Tensor{}, map[string]string{}}
		f.set(safetensors.New("coords", insts[0].Coords, 1, N, 2))
		f.set(safetensors.New("actions", make([]int32, R*T), R, T))
		f.set(safetensors.New("probs", make([]float32, R*T*width), R, T, width))
		f.set(safetensors.New("instance_of", make([]int32, R), R))
		data := f.encode(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Import(data)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 100<<20 {
			t.Errorf("%s: %d bytes were taken for a file of %d", want, taken, len(data))
		}
	}
}

// TestImportRefusesShards damages shards in the layout of Encode: every state must be checked, for any writer.
func TestImportRefusesShards(t *testing.T) {
	for _, c := range []struct {
		problem routing.Problem
		want    string
		spoil   func(sh *Shard)
	}{
		{routing.TSP, "trajectory 3: step 2: action", func(sh *Shard) { sh.Actions[3*6+2] = sh.Actions[3*6] }},
		{routing.TSP, "state 6 (step 3): probabilities sum to 0.5",
			func(sh *Shard) { p := sh.State(6).Probs; clear(p); p[0] = 0.5 }},
		{routing.TSP, "state 2 (step 3): candidates",
			func(sh *Shard) { sh.State(2).Candidates[0] = uint16(sh.Actions[0]) }},
		{routing.TSP, "instance 1: node 0 has coordinate +Inf",
			func(sh *Shard) { dense.Open[float32](sh.Coords)[12] = float32(math.Inf(1)) }},
		{routing.TSP, "instance_of falls", func(sh *Shard) { sh.InstanceOf[0] = 1 }},
		{routing.CVRP, "is infeasible", func(sh *Shard) { sh.State(0).Candidates[0] = 0 }},
		{routing.CVRP, "state 1 (step 1): probabilities sum to 2",
			func(sh *Shard) { p := sh.State(1).Probs; clear(p); p[0], p[1] = 1, 1 }},
		{routing.CVRP, "instance 0: node 1 has demand 99, above the capacity",
			func(sh *Shard) { dense.Open[int32](sh.Demand)[1] = 99 }},
		{routing.CVRP, "instance 1: capacity -4", func(sh *Shard) { sh.Capacity[1] = -4 }},
		{routing.CVRP, "remain in the vehicle", func(sh *Shard) { sh.Remaining[1]++ }},
	} {
		sh := record(t, 6, 3, 5)
		if c.problem == routing.CVRP {
			sh = recordCVRP(t, problems.NearestNeighbour{}, 8, 3, 5)
		}
		c.spoil(sh)
		data, err := sh.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Import(data); err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%s: error %v, want one with %q", c.problem, err, c.want)
		}
	}
}

// TestImportTruncated cuts rollouts of both layouts at every place.
func TestImportTruncated(t *testing.T) {
	sh := recordCVRP(t, viaPolicy{}, 4, 2, 1)
	shard, err := sh.Encode()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := sh.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"shard": shard, "compressed": packed,
		"plain": plainFile(t, sh).encode(t)} {
		if _, err := Import(data); err != nil {
			t.Fatal(err)
		}
		for n := range data {
			if got, err := Import(data[:n]); err == nil || got != nil {
				t.Errorf("%s cut to %d of %d bytes was imported", name, n, len(data))
			}
		}
	}
}

func reshape(f file, name string, shape ...int) {
	x, _ := safetensors.Values[float32](f.tensors[name])
	n, _ := dense.Elements(shape)
	f.set(safetensors.New(name, x[:n], shape...))
}

// edit changes the values of a copy of a tensor. change gets the length of its second dimension.
func edit[T any](f file, name string, change func(v []T, second int)) {
	x := f.tensors[name]
	v, err := safetensors.Values[T](x)
	if err != nil {
		panic(err)
	}
	v = slices.Clone(v)
	change(v, x.Shape()[1])
	f.set(safetensors.New(name, v, x.Shape()...))
}

// merge removes the first return to the depot, so one vehicle carries the load of two.
func merge(actions []int64) {
	k := slices.Index(actions, 0)
	copy(actions[k:], actions[k+1:])
}

// spot returns the action of a row that has probability 1.
func spot(p []float32) int { return slices.Index(p, 1) }

// other moves the probability 1 of a row to the node before or after.
func other(p []float32) {
	k := spot(p)
	p[k] = 0
	if k++; k == len(p) {
		k -= 2
	}
	p[k] = 1
}

// FuzzImport: any bytes give an error or a valid shard.
func FuzzImport(f *testing.F) {
	f.Add(plainFile(f, record(f, 5, 2, 1)).encode(f))
	f.Add(plainFile(f, recordCVRP(f, viaPolicy{}, 4, 2, 1)).encode(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if sh, err := Import(data); err == nil && sh.Validate() != nil {
			t.Error("an invalid shard was imported")
		}
	})
}
