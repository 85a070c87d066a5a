package instances

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/testdata"
)

// TestNearOptimal measures the reference solutions of the problems against the (near-)optimal ones of LEHD's sets:
// Concorde's tours, and LKH's solutions, which ruin and recreate may beat.
func TestNearOptimal(t *testing.T) {
	for _, c := range []struct {
		file        string
		count       int
		least, most float64
	}{
		{"test_TSP200_n128.txt", 6, 0, 0.01},
		{"vrp200_test_lkh_n32.txt", 3, -0.02, 0.01},
	} {
		files, err := Read(testdata.Shared(t, "data/"+c.file), 0)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for i := range files[:c.count] {
			f := &files[i]
			_, cost, err := f.Cost(problems.Must(f.Instance.Problem).NearOptimal(&f.Instance))
			if err != nil || math.IsNaN(cost) {
				t.Fatal(err)
			}
			mean += (cost/f.BestKnown - 1) / float64(c.count)
		}
		t.Logf("%s: mean gap %.2f %%", c.file, 100*mean)
		if mean < c.least || mean > c.most {
			t.Errorf("%s: mean gap %.2f %%, want %.3g..%.3g %%", c.file, 100*mean, 100*c.least, 100*c.most)
		}
	}
}
