package certify

import (
	"slices"
	"testing"
)

// What is picked on some instances is reported on others: a policy that is right on the even instances only is picked
// for the odd ones, where it is wrong.
func TestPickedOnTheOtherHalf(t *testing.T) {
	d := &decisions{instance: []int32{0, 0, 1, 1}, teacher: []int32{1, 1, 1, 1}}
	even, odd := []int32{1, 1, 0, 0}, []int32{0, 0, 1, 1}
	picked := d.best([][]int32{even, odd})
	if picked != (halves{1, 0}) {
		t.Errorf("picked %v, want the odd one for even instances, and the even one for odd", picked)
	}
	if got := d.stitch(picked, [][]int32{even, odd}); !slices.Equal(got, []int32{0, 0, 0, 0}) {
		t.Errorf("choices %v, want all wrong", got)
	}
	if picked := cheapest([][]float64{{1, 9, 1, 9}, {9, 1, 9, 1}}); picked != (halves{1, 0}) {
		t.Errorf("picked %v by cost, want the one that is cheap on odd instances for even ones", picked)
	}
	if got := picked.name([]string{"even", "odd"}); got != "odd or even" {
		t.Errorf("it is called %q", got)
	}
}
