package instances

import (
	"math"
	"strings"
	"testing"
)

const (
	lehdTSP  = "0.1 0.2 0.5 0.5 0.9 0.1 output 1 3 2 1\n0.1 0.2 0.5 0.5 0.9 0.2 output 1 3 2 1\r\n"
	lehdCVRP = "depot,0.5,0.5,customer,0.1,0.5,0.9,0.5,0.9,0.6,capacity,10.0,demand,6,5,4," +
		"cost,1.7123105625617661,node_flag,1,2,3,1,1,0"
	lehdLibrary = "['toy', '40', '0', '0', '1.0e+01', '0', '10', '10', '0', '10']"
	lehdVRPLib  = "['name', 'A-n3-k2', 'depot', 82, 76, 'customer', 96, 44, 50, 5, 'demand', 0, 19, 21, 'capacity', " +
		"30, 'cost', 250, 'end']\n"
)

func TestLEHD(t *testing.T) {
	for text, want := range map[string]float64{lehdTSP: 0, lehdCVRP: 1.7123105625617661, lehdLibrary: 40,
		lehdVRPLib: 250} {
		files, err := parseFile("set.txt", 0, []byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want > 0 && math.Abs(files[0].BestKnown-want) > 1e-12 {
			t.Errorf("%q: best known %v, want %v", text, files[0].BestKnown, want)
		}
		lines := strings.Count(strings.TrimSpace(text), "\n") + 1
		if len(files) != lines || files[lines-1].Source != "set.txt:"+string(rune('0'+lines)) {
			t.Errorf("%q: %d instances, the last from %s", text, len(files), files[len(files)-1].Source)
		}
	}
	for _, c := range []struct{ text, old, with, want string }{
		{lehdTSP, "1 3 2 1\r", "1 3 2\r", "line 2: 6 coordinate values and a tour of 3 nodes"},
		{lehdTSP, "0.9 0.2 ", "0.9 ", "line 2: 5 coordinate values"},
		{lehdTSP, "1 3 2 1\r", "1 3 3 1\r", "line 2: instance set.txt[1]: node 2 is visited twice"},
		{lehdTSP, "1 3 2 1\r", "1 4 2 1\r", "line 2: instance set.txt[1]: tour position 1 holds node 3"},
		{lehdTSP, "0.9 0.2", "0.9 x", `line 2: "x" is no finite number`},
		{lehdTSP, "output 1 3 2 1\r", "", "line 2: truncated: the word output is missing"},
		{lehdCVRP, "cost,1.71", "cost,1.72", "line 1: the solution costs 1.7"},
		{lehdCVRP, "6,5,4", "6,5,6", "line 1: instance set.txt[0]: route 2 carries 11"},
		{lehdCVRP, "6,5,4", "6,5,14", "line 1: instance set.txt[0]: node 3 has demand 14, above the capacity 10"},
		{lehdCVRP, "6,5,4", "6,5", "line 1: instance set.txt[0]: 2 demands, want one for each of 4 nodes"},
		{lehdCVRP, "10.0", "-10.0", "line 1: instance set.txt[0]: capacity -10, want a positive number"},
		{lehdCVRP, "10.0", "10.5", "line 1: capacity 10.5, want a whole number"},
		{lehdCVRP, "10.0", "", `line 1: capacity "", want one number`},
		{lehdCVRP, "capacity,10.0,", "", `line 1: truncated: "capacity" is missing`},
		{lehdCVRP, "demand", "capacity", `line 1: "capacity" appears twice`},
		{lehdCVRP, ",1,1,0", ",0,1,0", "line 1: node_flag: flag 1 is 0"},
		{lehdCVRP, ",1,1,0", ",1,1", "line 1: node_flag has 5 numbers, want 6"},
		{lehdCVRP, "1,2,3,1,1,0", "1,2,2,1,1,0", "line 1: instance set.txt[0]: customer 2 is visited twice"},
		{lehdCVRP, "1,2,3,1,1,0", "1,2,7,1,1,0", "line 1: instance set.txt[0]: position 3 holds node 7"},
		{lehdCVRP, "6,5,4", "6,-5,4", "line 1: instance set.txt[0]: node 2 has demand -5"},
		{lehdVRPLib, "30, 'cost'", "-30, 'cost'", "line 1: instance A-n3-k2: capacity -30, want a positive number"},
		{lehdVRPLib, "'capacity', 30, ", "", `line 1: truncated: "capacity" is missing`},
		{lehdLibrary, "]", "", "line 1: truncated: not a list in square brackets"},
		{lehdLibrary, ", '10']", "]", "line 1: 9 entries"},
		{lehdLibrary, "'40'", "'0'", "line 1: a best known cost of 0"},
		{lehdLibrary, "'40'", "'best'", `line 1: "best" is no finite number`},
		{lehdVRPLib, ", 'end'", "", `line 1: truncated: "end" is missing`},
		{lehdVRPLib, "21", "31", "line 1: instance A-n3-k2: node 2 has demand 31, above the capacity 30"},
		{lehdVRPLib, "0, 19", "1, 19", "line 1: instance A-n3-k2: the depot has demand 1"},
		{lehdVRPLib, "76, ", "", "line 1: 1 values for the depot and 4 for customers"},
	} {
		files, err := parseFile("set.txt", 0, []byte(strings.Replace(c.text, c.old, c.with, 1)))
		if err == nil || files != nil || !strings.Contains(err.Error(), "read set.txt: "+c.want) {
			t.Errorf("%q: %d instances, error %v, want one with %q", c.with, len(files), err, c.want)
		}
	}
}
