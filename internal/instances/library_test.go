package instances

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// burma14 is the smallest geographical instance of TSPLIB.
const burma14 = `NAME: burma14
TYPE: TSP
COMMENT: 14-Staedte in Burma (Zaw Win)
DIMENSION: 14
EDGE_WEIGHT_TYPE: GEO
EDGE_WEIGHT_FORMAT: FUNCTION
DISPLAY_DATA_TYPE: COORD_DISPLAY
NODE_COORD_SECTION
   1  16.47       96.10
   2  16.47       94.44
   3  20.09       92.54
   4  22.39       93.37
   5  25.23       97.24
   6  22.00       96.05
   7  20.47       97.02
   8  17.20       96.29
   9  16.30       97.38
  10  14.05       98.12
  11  16.53       97.38
  12  21.52       95.59
  13  19.41       97.13
  14  20.09       94.55
EOF
`

const fullMatrix = `NAME : four
TYPE : TSP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
DISPLAY_DATA_TYPE : TWOD_DISPLAY
EDGE_WEIGHT_SECTION
0 1 2 3
1 0 4 5
2 4 0 6
3 5 6 0
DISPLAY_DATA_SECTION
1 0 0
2 10 0
3 0 5
4 10 5
EOF
`

const vrp = `NAME : toy-n4-k2
COMMENT : (Nobody, No of trucks: 2, Optimal value: 48)
TYPE : CVRP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 10
NODE_COORD_SECTION
 1 0 0
 2 10 0
 3 10 4
 4 -7 7
DEMAND_SECTION
1 0
2 6
3 4
4 9
DEPOT_SECTION
 1
 -1
EOF
`

const vrpSolution = "Route #1: 1 2\nRoute #2: 3\nCost 45\n"

func parseOne(t *testing.T, text string) File {
	t.Helper()
	files, err := parseFile("x.tsp", 0, []byte(text))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d instances: %v", len(files), err)
	}
	return files[0]
}

// folder writes files into a folder of its own and returns how to write more.
func folder(t *testing.T) (dir string, write func(name, text string)) {
	dir = t.TempDir()
	return dir, func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLibraryCVRP(t *testing.T) {
	dir, write := folder(t)
	path := filepath.Join(dir, "toy.vrp")
	write("toy.vrp", vrp)
	write("toy.sol", vrpSolution)
	files, err := Read(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := files[0]
	if f.Instance.Capacity != 10 || !slices.Equal(f.Instance.Demand, []int32{0, 6, 4, 9}) || f.BestKnown != 45 ||
		!slices.Equal(f.Reference, []int32{1, 2, 0, 3, 0}) {
		t.Errorf("%+v", f)
	}
	write("toy.vrp", strings.Replace(vrp, "Optimal value: 48", "Optimal value: 44", 1))
	if files, err = Read(path, 0); err != nil || files[0].BestKnown != 44 {
		t.Errorf("with a worse solution beside it the best known cost is %v (%v), want 44", files[0].BestKnown, err)
	}
	// x runs over -7..10, y over 0..7: one scale of 17 for both.
	if want := []float32{7. / 17, 0, 1, 0, 1, 4. / 17, 0, 7. / 17}; !slices.Equal(f.Instance.Coords,
		want) {
		t.Errorf("coordinates %v, want %v", f.Instance.Coords, want)
	}
	rounded, unrounded, err := f.Cost([]int32{0, 2, 1, 0, 0, 3})
	if want := 10 + 4 + math.Sqrt(116) + 2*math.Sqrt(98); rounded != 10+4+11+10+10 ||
		math.Abs(unrounded-want) > 1e-12 || err != nil {
		t.Errorf("cost %v and %v, want 45 and %v (%v)", rounded, unrounded, want, err)
	}
	if _, _, err := f.Cost([]int32{1, 2, 3}); err == nil ||
		!strings.Contains(err.Error(), "toy-n4-k2: route 1 carries 19") {
		t.Errorf("error %v", err)
	}
	for text, want := range map[string]string{
		"Route #1: 1 2\nRoute #2: 3\nCost 49\n":  "toy.sol: the solution costs 45 (44.5",
		"Route #1: 1 2 3\nCost 45\n":             "toy.sol: instance toy-n4-k2: route 1 carries 19",
		"Route #1: 1\nRoute #2: 3\nCost 45\n":    "toy.sol: instance toy-n4-k2: customer 2 is not visited",
		"Route #1: 1 2\nRoute #2: 3\n":           "toy.sol: line 2: no line Cost at the end",
		"Route #1: 1 2\nRoute #3: 3\nCost 45\n":  "toy.sol: line 2: \"Route #3: 3\", want Route #2",
		"Route #1: 1 2\nRoute #2: 1\nCost 45\n":  "toy.sol: line 2: customer 1 appears twice, first in line 1",
		"Route #1: 1 x\nCost 45\n":               "toy.sol: line 1: \"x\" is no whole number",
		"Route #1: 1 2\nRoute #2: 0\nCost 45\n":  "toy.sol: line 2: customer 0",
		"Route #1: 1 2\nRoute #2: 3\nCost -3\n":  "toy.sol: line 3: \"Cost -3\", want Cost and a positive number",
		"Route #1: 1 2\nCost 45\nRoute #2: 3\n":  "toy.sol: line 3: text after the cost of line 2",
		"Cost 45\n":                              "toy.sol: no routes",
		"Route #1: 1 2\nRoute #2: 9\nCost 45\n ": "toy.sol: instance toy-n4-k2: position 3 holds node 9",
	} {
		write("toy.sol", text)
		if files, err := Read(path, 0); err == nil || files != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %d instances, error %v, want one with %q", text, len(files), err, want)
		}
	}
}

func TestTourBeside(t *testing.T) {
	dir, write := folder(t)
	path := filepath.Join(dir, "four.tsp")
	write("four.tsp", fullMatrix)
	const tour = "NAME : four.opt.tour\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n3\n1 2\n4\n-1\nEOF\n"
	write("four.opt.tour", tour)
	files, err := Read(path, 0)
	if err != nil || !slices.Equal(files[0].Reference, []int32{2, 0, 1, 3}) || files[0].BestKnown != 14 {
		t.Errorf("%+v (%v)", files, err)
	}
	for old, c := range map[string]struct{ with, want string }{
		"-1\n":         {"", "four.opt.tour: line 7: the tour is not ended by -1"},
		"1 2\n":        {"1\n", "four.opt.tour: line 4: the tour has 3 nodes, DIMENSION says 4"},
		"3\n1 2":       {"3\n1 3", "four.opt.tour: line 6: node 3 appears twice, first in line 5"},
		"4\n-1":        {"5\n-1", "four.opt.tour: instance four: tour position 3 holds node 4"},
		"TOUR_SECTION": {"TOUR", `four.opt.tour: line 4: "TOUR" is neither`},
		"TYPE : TOUR":  {"TYPE : TSP", "four.opt.tour: line 2: TYPE TSP is not supported, want one of TOUR"},
		"-1\nEOF":      {"-1\n2\nEOF", "four.opt.tour: line 9: node 2 after the -1"},
	} {
		write("four.opt.tour", strings.Replace(tour, old, c.with, 1))
		if files, err := Read(path, 0); err == nil || files != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %d instances, error %v, want one with %q", c.with, len(files), err, c.want)
		}
	}
}

// TestByteOrderMark: a mark that an editor put before a text changes nothing.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	for _, text := range []string{burma14, vrp, lehdTSP, lehdLibrary} {
		want, err := parseFile("x", 0, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		files, err := parseFile("x", 0, []byte(mark+text))
		if err != nil || len(files) != len(want) || !slices.Equal(files[0].Coords, want[0].Coords) {
			t.Errorf("%.20q with a mark: %d instances (%v)", text, len(files), err)
		}
	}
	if _, _, err := ParseSolution("x.sol", []byte(mark+vrpSolution)); err != nil {
		t.Error(err)
	}
	if _, err := ParseTour("x.tour", []byte(mark+"TYPE : TOUR\nTOUR_SECTION\n1 2\n-1\nEOF\n")); err != nil {
		t.Error(err)
	}
}

// TestLongTokens: an error quotes the beginning of what is wrong, however long that is.
func TestLongTokens(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	bad := func(text, old string) string { return strings.Replace(text, old, long, 1) }
	for _, text := range []string{
		long, "A" + long + "\n", bad(burma14, "burma14"), bad(burma14, "97.02"), bad(burma14, "GEO"), bad(burma14,
			"  14 "),
		bad(burma14, "DIMENSION: 14"), strings.Replace(burma14, "DIMENSION: 14", "DIMENSION: "+long, 1),
		strings.Replace(burma14, "EOF", long+"_SECTION\n", 1), bad(burma14, "TSP"),
		strings.Replace(burma14, "NAME", long+": 1\n"+long, 2),
		bad(vrp, "3 4"), bad(vrp, " -1"), bad(fullMatrix, "FULL_MATRIX"), strings.Replace(vrp, "value: 48",
			"value: "+strings.Repeat("9", 1<<20), 1),
		bad(lehdTSP, "0.5"), bad(lehdCVRP, "0.5"), bad(lehdCVRP, "1.7123105625617661"), bad(lehdCVRP,
			"capacity"), bad(lehdLibrary, "toy"),
		bad(lehdLibrary, "'40'"), bad(lehdVRPLib, "'depot'"), bad(lehdVRPLib, "96"),
		"\x80\x02c" + long + "\n" + long + "\n.", "\x80\x02F" + long + "\n.", "\x80\x02I" + long + "\n.",
	} {
		files, err := parseFile("set", 0, []byte(text))
		if err == nil || files != nil || len(err.Error()) > 600 {
			t.Errorf("%.20q: %d instances, an error of %d bytes: %.200s", text, len(files), len(errorText(err)),
				errorText(err))
		}
	}
	for _, text := range []string{"Cost " + long, long, "Route #1: " + long} {
		if _, _, err := ParseSolution("x.sol", []byte(text)); err == nil || len(err.Error()) > 600 {
			t.Errorf("%.20q: an error of %d bytes", text, len(errorText(err)))
		}
	}
}

// TestLibraryRefuses spoils files in one place each.
func TestLibraryRefuses(t *testing.T) {
	for _, c := range []struct{ text, old, with, want string }{
		{burma14, "DIMENSION: 14\n", "", "DIMENSION is missing"},
		{burma14, "DIMENSION: 14", "DIMENSION: 15",
			"line 8: NODE_COORD_SECTION has 14 rows, DIMENSION says 15: the file may be truncated"},
		{burma14, "DIMENSION: 14", "DIMENSION: 13", `line 22: id "14" in NODE_COORD_SECTION, want 1..13`},
		{burma14, "DIMENSION: 14", "DIMENSION: -2", `line 4: DIMENSION is "-2"`},
		{burma14, "DIMENSION: 14", "DIMENSION: 14\nDIMENSION: 15", "line 5: DIMENSION appears twice, first in line 4"},
		{burma14, "  12  21", "  11  21", "line 20: id 11 appears twice in NODE_COORD_SECTION, first in line 19"},
		{burma14, "97.02", "", "line 15: 2 numbers in NODE_COORD_SECTION, want an id and 2"},
		{burma14, "97.02", "NaN", `line 15: "NaN" is no finite number`},
		{burma14, "97.02", "9e999", `line 15: "9e999" is no finite number`},
		{burma14, "97.02", "1e300", "instance burma14: node 6 has coordinate 1e+300, want one from -1e+12 to 1e+12"},
		{fullMatrix, "0 1 2 3", "0 1 2 1e300", "line 8: weight 1e+300 of edge (1,4), want 1e+12 at most"},
		{burma14, "GEO", "XRAY1",
			"line 5: EDGE_WEIGHT_TYPE XRAY1 is not supported, want one of EUC_2D, CEIL_2D, ATT, GEO, EXPLICIT"},
		{burma14, "TYPE: TSP", "TYPE:", "TYPE is missing"},
		{vrp, "1 0\n2 6\n3 4\n4 9\nDEPOT_SECTION\n 1\n", "1 6\n2 6\n3 0\n4 9\nDEPOT_SECTION\n 3\n",
			`line 17: DEPOT_SECTION holds "3 -1", want 1 and -1`},
		{vrp, "Optimal value: 48", "Optimal value: " + strings.Repeat("9", 400), "line 2: \"9999999999"},
		{burma14, "NODE_COORD_SECTION\n", "", "line 8: numbers outside of any section"},
		{burma14, "GEO", "GEOM", "line 5: EDGE_WEIGHT_TYPE GEOM is not supported, want one of"},
		{burma14, "EDGE_WEIGHT_TYPE: GEO\n", "", "EDGE_WEIGHT_TYPE is missing"},
		{burma14, "TYPE: TSP", "TYPE: ATSP", "line 2: TYPE ATSP is not supported"},
		{burma14, "TYPE: TSP\n", "", "TYPE is missing"},
		{burma14, "EOF\n", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF\n",
			"line 23: section FIXED_EDGES_SECTION is not supported"},
		{burma14, "EOF\n", "EOF\nmore\n", "line 24: text after the EOF of line 23"},
		{burma14, "EOF\n", "NODE_COORD_SECTION\n1 2 3\n",
			"line 23: section NODE_COORD_SECTION appears twice, first in line 8"},
		{fullMatrix, "3 5 6 0", "3 5 7 0", "line 11: the matrix is not symmetric: (4,3) is 7, (3,4) is 6"},
		{fullMatrix, "3 5 6 0", "3 5 6", "line 7: EDGE_WEIGHT_SECTION has 15 numbers, 4 nodes need 16"},
		{fullMatrix, "0 1 2 3", "0 1 -2 3", "line 8: weight -2 of edge (1,3) is negative"},
		{fullMatrix, "FULL_MATRIX", "FUNCTION", "line 5: EDGE_WEIGHT_FORMAT FUNCTION is not supported"},
		{fullMatrix, "EDGE_WEIGHT_FORMAT : FULL_MATRIX\n", "", "line 6: EDGE_WEIGHT_FORMAT is missing"},
		{fullMatrix, "DISPLAY_DATA_SECTION\n1 0 0\n2 10 0\n3 0 5\n4 10 5\n", "",
			"line 4: a matrix without coordinates"},
		{fullMatrix, "EXPLICIT", "EUC_2D", "line 7: edge weights although EDGE_WEIGHT_TYPE is EUC_2D"},
		{vrp, "CAPACITY : 10\n", "", "CAPACITY is missing"},
		{vrp, "CAPACITY : 10", "CAPACITY : -10", `line 6: CAPACITY is "-10", want a whole number of at least 1`},
		{vrp, "CAPACITY : 10", "CAPACITY : 8",
			"line 16: node 4 has demand 9, want a whole number up to the capacity 8"},
		{vrp, "4 9\n", "4 -9\n", "line 16: node 4 has demand -9"},
		{vrp, "4 9\n", "4 9.5\n", "line 16: node 4 has demand 9.5, want a whole number"},
		{vrp, "1 0\n2 6", "1 1\n2 6",
			"line 13: node 1 has demand 1, want a whole number up to the capacity 10, and 0 at the depot"},
		{vrp, "4 9\n", "", "line 12: DEMAND_SECTION has 3 rows, DIMENSION says 4"},
		{vrp, "4 9\n", "3 9\n", "line 16: id 3 appears twice in DEMAND_SECTION, first in line 15"},
		{vrp, "DEPOT_SECTION\n 1\n -1\n", "", "DEPOT_SECTION is missing"},
		{vrp, "DEPOT_SECTION\n 1\n", "DEPOT_SECTION\n 2\n", `line 17: DEPOT_SECTION holds "2 -1", want 1 and -1`},
		{vrp, "CAPACITY : 10", "CAPACITY : 10\nDISTANCE : 200", "line 7: DISTANCE is not supported"},
		{vrp, "TYPE : CVRP", "TYPE : TSP", "line 12: section DEMAND_SECTION is not supported with TYPE TSP"},
		{burma14, "EOF\n", "DEPOT_SECTION\n1\n-1\nTOUR_SECTION\n1\n-1\nEOF\n",
			"line 23: section DEPOT_SECTION is not supported with TYPE TSP"}, // the first of both by name
		{vrpSolution, "Cost", "Cost", "a CVRPLIB solution without its instance"},
		{"TYPE : TOUR\nTOUR_SECTION\n1\n-1\n", "1", "1", "a tour without its instance"},
		{"hello\n", "h", "h", `line 1: no known format begins with "hello"`},
		{"\n \n", "\n", "\n", "the file is empty"},
		{"a\x00b", "a", "a", "not a text file"},
	} {
		files, err := parseFile("dir/x.tsp", 0, []byte(strings.Replace(c.text, c.old, c.with, 1)))
		if err == nil || files != nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "read dir/x.tsp: ") {
			t.Errorf("%q: %d instances, error %v, want one with %q", c.with, len(files), err, c.want)
		}
	}
}

// TestOptimaOfNames: the optimum of a public instance is that of the TSP of this name and size alone.
func TestOptimaOfNames(t *testing.T) {
	for name, want := range map[string]float64{"eil4": 0, "eil51": 0, "burma14": 3323} {
		f := parseOne(t, strings.Replace(burma14, "burma14", name, 1))
		if f.BestKnown != want {
			t.Errorf("%s of 14 nodes: best known %v, want %v", name, f.BestKnown, want)
		}
	}
	if f := parseOne(t, strings.Replace(vrp, "NAME : ", "NAME : burma4", 1)); f.BestKnown != 48 {
		t.Errorf("a CVRP: best known %v, want that of its comment", f.BestKnown)
	}
	for name := range optima {
		if n, err := strconv.Atoi(number.FindString(name)); err != nil || n < 14 {
			t.Errorf("%s does not say how many nodes it has", name)
		}
	}
}

// TestTruncatedText cuts library files everywhere: of a file cut short all is read or nothing.
func TestTruncatedText(t *testing.T) {
	for _, text := range []string{burma14, fullMatrix, vrp} {
		whole := parseOne(t, text)
		for n := range text {
			files, err := parseFile("x.tsp", 0, []byte(text[:n]))
			if err != nil {
				continue
			}
			// EOF may be missing.
			if f := files[0]; n < len(text)-len("EOF\n") || !slices.Equal(f.Coords, whole.Coords) ||
				!slices.Equal(f.Instance.Demand, whole.Instance.Demand) {
				t.Errorf("%s cut to %d of %d bytes was read", whole.Instance.Name, n, len(text))
			}
		}
	}
}
