package instances

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
)

func TestCSV(t *testing.T) {
	points := []float64{3.5, 4, 1, 0.25, -2, 7}
	for name, text := range map[string]string{
		"bare":        "3.5,4\n1,0.25\n-2,7\n",
		"no newline":  "3.5,4\n1,0.25\n-2,7",
		"windows":     "\xef\xbb\xbf3.5;4\r\n1;0.25\r\n-2;7\r\n",
		"blanks":      "  3.5  4 \n\n1 0.25\n-2 7\n",
		"tabs":        "x\ty\n3.5\t4\n1\t0.25\n-2\t7\n",
		"named":       "# my cities\n\"City\", Y, X\nhome,4,3.5\nmill,0.25,1\n\"town\", 7, -2\n",
		"upper names": "X,Y\n3.5,4\n1,0.25\n-2,7\n",
		"quoted": "name,x,y\n\"mill, \"\"old\"\", north\", 3.5,4\n \"a,b\" ,1,\"0.25\"\n" +
			"\"\",-2,7\n",
		"lone quotes": "name,x,y\n5\" pipe,3.5,4\n\"so,1,0.25\nno \"a\",-2,7\n",
	} {
		files, err := parseFile("some/towns.csv", 0, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		f := files[0]
		if len(files) != 1 || f.Instance.Name != "towns" || f.Instance.Problem != routing.TSP || f.First != 1 ||
			f.Metric != Euclidean || !slices.Equal(f.Coords, points) || f.Span != 6.75 ||
			f.Lo != [2]float64{-2, 0.25} {
			t.Errorf("%s: %+v", name, f)
		}
	}
	files, err := parseFile("r.csv", 10, []byte("id,x,y,demand\n0,1,2,\n1,3,4,7\n2,5,6,10\n"))
	if err != nil {
		t.Fatal(err)
	}
	in := files[0].Instance
	if in.Problem != routing.CVRP || in.Capacity != 10 || !slices.Equal(in.Demand, []int32{0, 7, 10}) ||
		files[0].First != 0 {
		t.Errorf("%+v", files[0])
	}
	if files, err = parseFile("r.csv", 10, []byte("1,2,0\n3,4,7\n5,6,10\n")); err != nil ||
		!slices.Equal(files[0].Instance.Demand, []int32{0, 7, 10}) {
		t.Errorf("%+v, %v", files, err)
	}
}

func TestCSVRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		capacity int32
		want     string
	}{
		"one column":        {"1\n2\n", 0, "no line of a CSV of points"},
		"names of too few":  {"x,demand\n1,2\n", 0, "no line of a CSV of points"},
		"short line":        {"1,2\n3\n", 0, "line 2: 1 columns, want 2"},
		"no number":         {"1,2\n\n3,north\n", 0, `line 3: "north" is no finite number`},
		"infinite":          {"1,2\n3,Inf\n", 0, "no finite number"},
		"huge":              {"1,2\n3,1e300\n", 0, "want one from"},
		"one place":         {"1,1\n1,1\n1,1\n", 0, "at the same place"},
		"only names":        {"x,y\n", 0, "no points follow the names of line 1"},
		"four columns":      {"1,2,3,4\n", 0, "4 columns without names"},
		"ids":               {"1,20,30\n2,40,50\n3,1,2\n", 9, "begin with a line of names, such as id,x,y"},
		"unknown column":    {"x,y,colour\n1,2,3\n", 0, `column "colour" is not known`},
		"sphere":            {"lat,lon\n1,2\n", 0, "a plane, not a sphere"},
		"twice":             {"x,y,x\n1,2,3\n", 0, `column "x" appears twice`},
		"no capacity":       {"x,y,demand\n1,2,0\n2,3,4\n", 0, "no capacity was given"},
		"negative capacity": {"x,y\n1,2\n2,3\n", -4, "capacity -4: want a whole number above 0"},
		"no demand":         {"x,y\n1,2\n2,3\n", 5, "the points have no demands"},
		"large demand":      {"x,y,demand\n1,2,0\n2,3,6\n", 5, "line 3: demand 6, want at most the capacity 5"},
		"depot with demand": {"x,y,demand\n1,2,1\n2,3,4\n", 5, "line 2: the first node is the depot"},
		"half a demand":     {"x,y,demand\n1,2,0\n2,3,0.5\n", 5, `demand "0.5", want a whole number`},
		"not a CSV":         {burma14, 5, "a capacity was given, which is for a CSV"},
	} {
		if files, err := parseFile("f.csv", c.capacity, []byte(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.csv") {
			t.Errorf("%s: %v, %v, want %q and the file", name, files, err, c.want)
		}
	}
}

// FuzzCSV wants an error or a sound instance of any text and capacity.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("x,y\n1,2\n3,4\n"), int32(0))
	f.Add([]byte("1;2;0\n3;4;5\n"), int32(9))
	f.Add([]byte("#\n\"id\"\tX\tY\tload\n1\t1e9\t-3\t\n2\t0x1p3\t4\t5\n"), int32(5))
	f.Add([]byte("1 2 3\n2 3 4\n3 4 5\n"), int32(1<<31-1))
	f.Fuzz(func(t *testing.T, data []byte, capacity int32) {
		if capacity < 0 || !isCSV(data) {
			return
		}
		files, err := parseFile("fuzz.csv", capacity, data)
		if err != nil {
			return
		}
		if len(files) != 1 {
			t.Fatalf("%d instances", len(files))
		}
		if err := problems.WellFormed(&files[0].Instance); err != nil {
			t.Fatal(err)
		}
	})
}

// A solution that is written is read again as it was, with its cost by the instance's metric.
func TestSolutionsComeBack(t *testing.T) {
	for name, text := range map[string]string{"own.tsp": burma14, "own.vrp": vrp} {
		files, err := parseFile(name, 0, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		f := &files[0]
		f.Instance.Name += "\x1b[31m\nTYPE : ATSP"
		var want []int32
		for a := range int32(f.Instance.N()) {
			want = append(want, a)
			if f.Instance.Problem == routing.CVRP {
				want = append(want, 0)
			}
		}
		if f.Instance.Problem == routing.CVRP {
			want = want[2:] // begins at a customer
		}
		out, err := f.Solution(want)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "own")
		for ext, data := range map[string]string{filepath.Ext(name): text, SolutionExtension(f.Instance.Problem): out} {
			if err := os.WriteFile(path+ext, []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		again, err := Read(path+filepath.Ext(name), 0)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if !slices.Equal(again[0].Reference, want) {
			t.Errorf("%s: read %v, wrote %v:\n%s", name, again[0].Reference, want, out)
		}
		if _, err := f.Solution(want[1:]); err == nil {
			t.Errorf("%s: half a solution was written", name)
		}
	}
}

// Places have any unit and any origin: metres of a map, degrees and thousandths are brought to the same instance.
func TestPlacesInAnyUnit(t *testing.T) {
	read := func(scale, x0, y0 float64) []float32 {
		t.Helper()
		text := "x,y\n"
		for _, p := range [][2]float64{{0, 0.1}, {1, 0.9}, {0.25, 0.5}, {0.75, 0.125}} {
			text += fmt.Sprintf("%v,%v\n", x0+scale*p[0], y0+scale*p[1])
		}
		files, err := parseFile("places.csv", 0, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return files[0].Instance.Coords
	}
	metres := read(1e4, 0, 0)
	for what, got := range map[string][]float32{
		"map": read(1e4, 560_000, 5_930_000), "degrees": read(0.5, 13, 52), "thousandths": read(0.001, 0, 0),
	} {
		for i, v := range got {
			if math.Abs(float64(v-metres[i])) > 1e-4 {
				t.Errorf("%s: %v, want %v", what, got, metres)
				break
			}
		}
	}
	if unit := read(1, 0, 0); unit[1] != 0.1 || unit[7] != 0.125 {
		t.Errorf("places in the unit square have moved: %v", unit)
	}
}
