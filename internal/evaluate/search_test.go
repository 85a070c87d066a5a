package evaluate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/problems/cvrp"
	"github.com/epb-nco/epb/internal/problems/tsp"
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
		"": false, "beam": false, "sample": false, "sample:": false, "sample:0": false, "sample:-3": false,
		"rrc:x": false, "greedy:4": false, "rrc:99999999999": false,
	} {
		var m Mode
		if err := m.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// A mode whose number is refused is told which number that is, of what, and what to write.
func TestModeNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"sample:0":      `"sample:0": the number of solutions drawn is "0", want 1 to 100000, as in sample:100`,
		"sample:100001": `the number of solutions drawn is "100001", want 1 to 100000`,
		"sample":        `the number of solutions drawn is "", want`,
		"rrc:x":         `the number of attempts to construct a part anew is "x", want 1 to 2147483647, as in rrc:100`,
	} {
		var m Mode
		if err := m.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
}

// Every search must give valid solutions, the same ones each time, and what searches from a greedy solution, or among
// all starts, must not be worse.
func TestSearches(t *testing.T) {
	for _, c := range []struct {
		policy routing.Policy
		insts  []routing.Instance
		start  int
	}{
		{builtin(t), tsp.Generate(20, 6, 3), 0},
		{problems.NearestNeighbour{}, cvrp.Generate(20, 6, 3), 1},
	} {
		problem := c.insts[0].Problem
		starts := slices.Repeat([]int{c.start}, len(c.insts))
		cost := map[Mode]float64{}
		for _, mode := range []Mode{Greedy, MultiStart, Aug8, "sample:200", ReconstructOf(30)} {
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
				if got, err := problems.Cost(&c.insts[i], actions); err != nil || got != d.Costs[i] {
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

// A search chooses by the price that it is given: here the dearest solution of each instance is the best one.
func TestSearchByPrice(t *testing.T) {
	insts := tsp.Generate(10, 3, 3)
	dearest := func(i int, actions []int32) (float64, error) {
		cost, err := problems.Cost(&insts[i], actions)
		return -cost, err
	}
	for _, mode := range []Mode{MultiStart, ReconstructOf(30)} {
		var got [2]Decoded
		for k, price := range []func(int, []int32) (float64, error){nil, dearest} {
			var err error
			got[k], err = Search{Mode: mode, Seed: 4, Price: price}.Run(t.Context(), builtin(t), insts)
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, cost := range got[1].Costs {
			if want, err := dearest(i, got[1].Tours[i]); err != nil || cost != -want || cost <= got[0].Costs[i] {
				t.Errorf("%s: instance %d costs %v (%v), the cheapest solution %v", mode, i, cost, err, got[0].Costs[i])
			}
		}
	}
}

func TestSamplesFollowTheSeed(t *testing.T) {
	p, insts := builtin(t), tsp.Generate(20, 4, 3)
	draw := func(seed uint64) []float64 {
		d, err := Search{Mode: "sample:1", Seed: seed}.Run(t.Context(), p, insts)
		if err != nil {
			t.Fatal(err)
		}
		return d.Costs
	}
	if a, b := draw(1), draw(2); slices.Equal(a, b) {
		t.Errorf("seeds 1 and 2 both give %v", a)
	}
}

// ticking is the nearest neighbour with a clock of its own: a run takes a second.
type ticking struct {
	problems.NearestNeighbour
	clock time.Time
}

func (p *ticking) Decoder() (routing.Decoder, error) { return p, nil }
func (p *ticking) Close() error                      { return nil }

func (p *ticking) Decode(in *routing.Instance, runs []routing.Run) ([]routing.Trajectory, error) {
	p.clock = p.clock.Add(time.Duration(len(runs)) * time.Second)
	d, err := p.NearestNeighbour.Decoder()
	if err != nil {
		return nil, err
	}
	return d.Decode(in, runs)
}

// The limit holds within a round as well, and what was found until then is kept.
func TestTimeLimit(t *testing.T) {
	insts := tsp.Generate(40, 1, 3)
	for _, c := range []struct {
		mode   Mode
		limit  time.Duration
		runs   int
		better bool // than the first solution, as any search among different ones should be
	}{
		{MultiStart, time.Nanosecond, 1, false},
		{MultiStart, 3500 * time.Millisecond, 3, true},
		{MultiStart, 23 * time.Second, 23, true},
		{MultiStart, time.Minute, 40, true},
		{Aug8, 100 * time.Second, 100, true},
		{"sample:1000", 777 * time.Second, 777, false}, // of a policy without doubts
		{ReconstructOf(1000), 50 * time.Second, 50, true},
	} {
		p := &ticking{}
		s := Search{Mode: c.mode, Starts: []int{0}, Limit: c.limit, now: func() time.Time { return p.clock }}
		d, err := s.Run(t.Context(), p, insts)
		if err != nil {
			t.Fatal(err)
		}
		if runs := int(p.clock.Sub(time.Time{}) / time.Second); runs != c.runs {
			t.Errorf("%s, %s: %d runs of a second each, want %d", c.mode, c.limit, runs, c.runs)
		}
		if cut := c.runs != 40; cut != (d.Cut == 1) {
			t.Errorf("%s, %s: %d searches cut short", c.mode, c.limit, d.Cut)
		}
		first, err := Search{Mode: Greedy, Starts: []int{0}}.Run(t.Context(), problems.NearestNeighbour{}, insts)
		if err != nil {
			t.Fatal(err)
		}
		cost, err := problems.Cost(&insts[0], d.Tours[0])
		if err != nil || cost != d.Costs[0] || cost > first.Costs[0] || c.better && cost == first.Costs[0] {
			t.Errorf("%s, %s: cost %v (%v), reported %v, that of the first run is %v",
				c.mode, c.limit, cost, err, d.Costs[0], first.Costs[0])
		}
	}
}

// A student without a start rule begins where the teacher does, in searches as well.
func TestSearchBorrowsStarts(t *testing.T) {
	s := trio(t)
	s.Start = ""
	teacher := s.Programs.Singles("leftmost")[0]
	c, err := Compare(t.Context(), tsp.Generate(12, 3, 4), teacher, s,
		Options{Modes: []Mode{ReconstructOf(5)}, Baselines: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range c.Table.Rows {
		if row.Costing(ReconstructOf(5)) == nil || row.Greedy != nil {
			t.Errorf("%s: scores %+v", row.Name, row)
		}
	}
}
