package solver

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// fake is a module that solves nothing: each of its functions returns one number, and its memory holds a table.
type fake struct {
	table   [16]uint32 // at address 0
	text    string     // behind the table
	returns map[string]int32
	memory  string // the name by which it is exported
}

// tour returns a module for tours of 3 to 4 nodes, with two programs. Each step goes to node 1, as one of two
// candidates.
func tour() fake {
	const texts = 64
	return fake{
		table: [16]uint32{1, 1, 4, 0, 256, 384, 512, 640, 704, 768, 832, texts, 0, texts, 9, 3},
		text:  "near\nfair",
		returns: map[string]int32{
			"epb_table": 0, "epb_begin": 0, "epb_step": 1, "epb_candidates": 2, "epb_solve": 3, "epb_distances": 896,
			"epb_measured": 0,
		},
		memory: "memory",
	}
}

// wasm encodes the module.
func (f fake) wasm() []byte {
	var names []string
	for name := range f.returns {
		names = append(names, name)
	}
	slices.Sort(names)
	var functions, exports, codes [][]byte
	for i, name := range names {
		functions = append(functions, []byte{0}) // of the one type
		exports = append(exports, slices.Concat(sized([]byte(name)), []byte{0, byte(i)}))
		codes = append(codes, sized(slices.Concat([]byte{0, 0x41}, signed(f.returns[name]), []byte{0x0b})))
	}
	exports = append(exports, slices.Concat(sized([]byte(f.memory)), []byte{2, 0}))
	var data []byte
	for _, v := range f.table {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	data = append(data, f.text...)
	return slices.Concat(
		[]byte("\x00asm\x01\x00\x00\x00"),
		section(1, []byte{0x60, 0, 1, 0x7f}), // func() i32
		section(3, functions...),
		section(5, []byte{0, 1}), // a page of memory
		section(7, exports...),
		section(10, codes...),
		section(11, slices.Concat([]byte{0, 0x41, 0, 0x0b}, sized(data))),
	)
}

// section encodes a section with some entries.
func section(id byte, entries ...[]byte) []byte {
	return slices.Concat([]byte{id}, sized(slices.Concat(unsigned(len(entries)), slices.Concat(entries...))))
}

func sized(b []byte) []byte { return slices.Concat(unsigned(len(b)), b) }

func unsigned(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }

// signed encodes a number in LEB128.
func signed(v int32) (b []byte) {
	for v < -64 || v > 63 {
		b, v = append(b, byte(v)|0x80), v>>7
	}
	return append(b, byte(v)&0x7f)
}

// opened loads a module.
func opened(t *testing.T, f fake) *Solver {
	t.Helper()
	s, err := New(t.Context(), f.wasm())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

var triangle = Instance{X: []float64{0, 1, 0}, Y: []float64{0, 0, 1}}

func TestFakeSolves(t *testing.T) {
	s := opened(t, tour())
	if !slices.Equal(s.Programs, []string{"near", "fair"}) || s.Problem != "tsp" {
		t.Errorf("%s by %q", s.Problem, s.Programs)
	}
	if got, err := s.Solve(t.Context(), triangle, OwnStart); err != nil || len(got) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	d, ok, err := s.Step(t.Context())
	if err != nil || !ok || d.Node != 1 || len(d.Candidates) != 2 || len(d.Weights) != 2 || len(d.Mixture) != 2 ||
		len(d.Proposals) != 2 || len(d.Proposals[1]) != 2 {
		t.Errorf("%+v, %v, %v", d, ok, err)
	}
}

// A module whose table says what cannot be is refused, and does not end the process.
func TestCorruptTables(t *testing.T) {
	const outside = 1<<16 - 4 // the last word of the memory
	none := func(*Solver) error { return nil }
	solve := func(s *Solver) error {
		_, err := s.Solve(t.Context(), triangle, OwnStart)
		return err
	}
	deliver := func(s *Solver) error {
		in := triangle
		in.Demand, in.Capacity = []int32{0, 1, 1}, 2
		_, err := s.Solve(t.Context(), in, OwnStart)
		return err
	}
	step := func(s *Solver) error {
		_, _, err := s.Step(t.Context())
		return err
	}
	measure := func(s *Solver) error {
		return s.Begin(t.Context(), Instance{Distances: []float32{0, 1, 1, 1, 0, 1, 1, 1, 0}}, OwnStart)
	}
	for _, tt := range []struct {
		what   string
		change func(f *fake)
		use    func(s *Solver) error
		want   string
	}{
		{"no memory", func(f *fake) { f.memory = "mem" }, none, "it has no memory"},
		{"no solver", func(f *fake) { delete(f.returns, "epb_solve") }, none, "there is no epb_solve"},
		{"no table", func(f *fake) { delete(f.returns, "epb_table") }, none, "there is no epb_table"},
		{"its table", func(f *fake) { f.returns["epb_table"] = outside }, none, "memory has no 64 bytes at 65532"},
		{"its version", func(f *fake) { f.table[0] = 2 }, none, "version 2, want 1"},
		{"its problem", func(f *fake) { f.table[1] = 3 }, none, "problem 3, want 1 or 2"},
		{"what it needs", func(f *fake) { f.table[12] = 1 << 31 }, none, "no 2147483648 bytes at 64"},
		{"its programs", func(f *fake) { f.table[13] = 1 << 31 }, none, "no 9 bytes at 2147483648"},
		{"its size", func(f *fake) { f.table[2] = 1 << 28 }, solve, "no 4294967296 bytes at 256"},
		{"its coordinates", func(f *fake) { f.table[4] = outside }, solve, "no 64 bytes at 65532"},
		{"its demands", func(f *fake) { f.table[1], f.table[5] = 2, outside }, deliver, "no 12 bytes at 65532"},
		{"its actions", func(f *fake) { f.table[6] = outside }, solve, "no 12 bytes at 65532"},
		{"its start", func(f *fake) { f.table[6] = outside + 2 }, solve, "no 4 bytes at 65534"},
		{"its solution", func(f *fake) { f.returns["epb_solve"] = -1 }, solve, "no 17179869180 bytes at 512"},
		{"its candidates", func(f *fake) { f.table[7] = outside + 2 }, step, "no 4 bytes at 65534"},
		{"their number", func(f *fake) { f.returns["epb_candidates"] = -1 }, step, "no 8589934590 bytes at 640"},
		{"its weights", func(f *fake) { f.table[8] = outside }, step, "no 8 bytes at 65532"},
		{"its mixture", func(f *fake) { f.table[9] = outside }, step, "no 8 bytes at 65532"},
		{"its proposals", func(f *fake) { f.table[10] = outside }, step, "no 16 bytes at 65532"},
		{"its distances", func(f *fake) { f.returns["epb_distances"] = outside }, measure, "no 36 bytes at 65532"},
	} {
		f := tour()
		tt.change(&f)
		s, err := New(t.Context(), f.wasm())
		if err == nil {
			err = tt.use(s)
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.what, err, tt.want)
		}
	}
}

// Demands are those of the nodes, or none where the problem has none.
func TestDemands(t *testing.T) {
	f := tour()
	f.table[1] = 2
	tours, routes := opened(t, tour()), opened(t, f)
	far := Instance{Distances: []float32{0, 1, 1, 1, 0, 1, 1, 1, 0}}
	for _, in := range []Instance{triangle, far} {
		in.Capacity = 5
		for _, n := range []int{0, 2, 3, 4, 5000} {
			in.Demand = make([]int32, n)
			if err := tours.Begin(t.Context(), in, OwnStart); (err == nil) != (n == 0) {
				t.Errorf("a tsp with %d demands: error %v", n, err)
			}
			if err := routes.Begin(t.Context(), in, OwnStart); (err == nil) != (n == 3) {
				t.Errorf("a cvrp of 3 nodes with %d demands: error %v", n, err)
			}
		}
	}
}
