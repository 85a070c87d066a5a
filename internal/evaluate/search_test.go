package evaluate

import (
	"slices"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/teachers"
)

func builtin(t *testing.T) teacher.Teacher {
	t.Helper()
	p, err := teacher.Parse("pomo_tsp20.pt", teachers.POMOTSP20)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestModes(t *testing.T) {
	for text, ok := range map[string]bool{
		"greedy": true, "multistart": true, "aug8": true, "sample:64": true, "rrc:10": true,
		"": false, "beam": false, "sample": false, "sample:": false, "sample:0": false, "sample:-3": false, "rrc:x": false, "greedy:4": false, "rrc:99999999999": false,
	} {
		var m Mode
		if err := m.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// Every search must give valid solutions, the same ones each time, and what searches from a greedy solution, or among all starts, must
// not be worse.
func TestSearches(t *testing.T) {
	for _, c := range []struct {
		policy routing.Policy
		insts  []routing.Instance
		start  int
	}{
		{builtin(t), routing.Generate(20, 6, 3), 0},
		{routing.NearestNeighbour{}, routing.GenerateCVRP(20, 6, 3), 1},
	} {
		problem := c.insts[0].Problem
		starts := slices.Repeat([]int{c.start}, len(c.insts))
		cost := map[Mode]float64{}
		for _, mode := range []Mode{Greedy, MultiStart, Aug8, SampleOf(200), ReconstructOf(30)} {
			var last int
			s := Search{Mode: mode, Starts: starts, Seed: 4, Progress: func(done int) { last = done }}
			d, err := s.Run(t.Context(), c.policy, c.insts)
			if err != nil {
				t.Fatal(err)
			}
			again, err := s.Run(t.Context(), c.policy, c.insts)
			if err != nil || !slices.Equal(d.Costs, again.Costs) {
				t.Errorf("%s, %s: costs %v, then %v (%v)", problem, mode, d.Costs, again.Costs, err)
			}
			for i, actions := range d.Tours {
				if got, err := routing.Cost(&c.insts[i], actions); err != nil || got != d.Costs[i] {
					t.Errorf("%s, %s: solution %d costs %v (%v), reported %v", problem, mode, i, got, err, d.Costs[i])
				}
				cost[mode] += d.Costs[i]
			}
			if last != len(c.insts) || d.Cut != 0 {
				t.Errorf("%s, %s: %d instances reported done, %d cut short", problem, mode, last, d.Cut)
			}
		}
		if cost[MultiStart] > cost[Greedy] || cost[Aug8] > cost[MultiStart] || cost[ReconstructOf(30)] >= cost[Greedy] {
			t.Errorf("%s: total costs %v", problem, cost)
		}
	}
}

func TestSamplesFollowTheSeed(t *testing.T) {
	p, insts := builtin(t), routing.Generate(20, 4, 3)
	draw := func(seed uint64) []float64 {
		d, err := Search{Mode: SampleOf(1), Seed: seed}.Run(t.Context(), p, insts)
		if err != nil {
			t.Fatal(err)
		}
		return d.Costs
	}
	if a, b := draw(1), draw(2); slices.Equal(a, b) {
		t.Errorf("seeds 1 and 2 both give %v", a)
	}
}

func TestTimeLimit(t *testing.T) {
	insts := routing.Generate(40, 2, 3)
	d, err := Search{Mode: ReconstructOf(1 << 30), Limit: time.Nanosecond}.Run(t.Context(), routing.NearestNeighbour{}, insts)
	if err != nil {
		t.Fatal(err)
	}
	greedy, err := Decode(t.Context(), routing.NearestNeighbour{}, insts, Greedy, nil, nil)
	if err != nil || d.Cut != 2 || !slices.Equal(d.Costs, greedy.Costs) {
		t.Errorf("%d of 2 searches cut short, costs %v, greedy %v (%v)", d.Cut, d.Costs, greedy.Costs, err)
	}
}

// A student without a start rule begins where the teacher does, in searches as well.
func TestSearchBorrowsStarts(t *testing.T) {
	s := trio(t)
	s.Start = ""
	teacher := s.Programs.Singles("leftmost")[0]
	c, err := Compare(t.Context(), routing.Generate(12, 3, 4), teacher, s, Options{Modes: []Mode{ReconstructOf(5)}, Baselines: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range c.Table.Rows {
		if row.Score(ReconstructOf(5)) == nil || row.Greedy != nil {
			t.Errorf("%s: scores %+v", row.Name, row)
		}
	}
}
