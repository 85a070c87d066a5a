package textreport

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/certify"
)

// within fails unless a text without runs of blanks has all of these.
func within(t *testing.T, text string, wants ...string) {
	t.Helper()
	got := strings.Join(strings.Fields(text), " ")
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}

// Each figure of a certificate stands in its column.
func TestCertificate(t *testing.T) {
	at := func(of float64) certify.Share {
		return certify.Share{Of: of, N: 100, CI: bootstrap.Interval{Lo: of - 0.01, Hi: of + 0.01}}
	}
	gap := func(percent float64) bootstrap.Gap {
		return bootstrap.Gap{Percent: percent, CI: bootstrap.Interval{Lo: percent - 0.5, Hi: percent + 0.5}}
	}
	program := certify.Program{
		Name: "near", Leads: at(0.5), Niche: at(0.9), Top1: at(0.7), TauH: 1, Fits: 1.5, HasScale: true,
		FitsCI: bootstrap.Interval{Lo: 1.2, Hi: 1.8}, Loss: 0.1, LossCI: bootstrap.Interval{Lo: 0.05, Hi: 0.15},
		Changed: at(0.3), Right: at(0.6), Lost: 0.2, LostCI: bootstrap.Interval{Lo: 0.1, Hi: 0.3},
	}
	c := &certify.Certificate{
		Student: "mine", Teacher: "am", Decisions: 100, Instances: 10, Data: "fresh instances", Nodes: 20, Seed: 1,
		Agreement: certify.Agreement{
			Overall: certify.Slice{What: "all decisions", Student: at(0.91), Nearest: at(0.72)},
		},
		Rivals: []certify.Rival{{
			Name: "nearest candidate", Top1: at(0.72), Ahead: 0.19, AheadCI: bootstrap.Interval{Lo: 0.15, Hi: 0.23},
		}},
		Leader: certify.Attribution{
			Alone: at(0.95), Ties: at(0.04), Consensus: 0.45, ConsensusCI: bootstrap.Interval{Lo: 0.44, Hi: 0.46},
			Margins: []certify.Margin{{Quantile: 0.05, Lead: 0.07}, {Quantile: 0.5, Lead: 0.33}},
			Removed: at(0.2), RemovedTop1: at(0.61), Swapped: at(0.4), SwappedTop1: at(0.52),
		},
		Programs: []certify.Program{program, {Name: "seldom", Leads: at(0.01), Niche: certify.Share{Of: 1, N: 1,
			CI: bootstrap.Interval{Lo: 1, Hi: 1}}}},
		Tours: []certify.Tours{{What: "the student", Gap: gap(1), Rise: gap(2)}},
		Changes: []certify.Change{{
			What: "a node moves", Teacher: at(0.31), Both: at(0.71), Alone: at(0.05), Same: at(0.73),
		}},
		Stability: []certify.Stability{{Name: "seed 2", Choices: at(0.95), Leaders: at(0.63), Chance: 0.125}},
	}
	var text bytes.Buffer
	if err := Certificate(&text, c); err != nil {
		t.Fatal(err)
	}
	within(t, text.String(),
		"all decisions 100 91.0 [90.0, 92.0] 72.0 [71.0, 73.0]",
		"nearest candidate 72.0 [71.0, 73.0] +19.0 [+15.0, +23.0]",
		"near 50.0 [49.0, 51.0] 90.0 [89.0, 91.0] 70.0 [69.0, 71.0] 1 1.5 [1.2, 1.8]",
		"seldom 1.0 [0.0, 2.0] 100.0 of 1 – 0 –",
		"near 30.0 [29.0, 31.0] 60.0 [59.0, 61.0] +20.0 [+10.0, +30.0] +0.1000 [+0.0500, +0.1500]",
		"alone would choose as the student does 95.0 [94.0, 96.0]",
		"is ahead by less than 1 point 4.0 [3.0, 5.0]",
		"is left out: the choice changes 20.0 [19.0, 21.0] 61.0 [60.0, 62.0]",
		"is replaced by lot: the choice changes 40.0 [39.0, 41.0] 52.0 [51.0, 53.0]",
		"It is ahead by at most so many points of the weight: 7.0 in 5 %, 33.0 in 50 % of the decisions. On average "+
			"45.0 % [44.0, 46.0] of",
		"the student +1.00 [+0.50, +1.50] +2.00 [+1.50, +2.50]",
		"when cases teacher changes then the student then both agree else the student a node moves 100 31.0 [30.0, "+
			"32.0] 71.0 [70.0, 72.0] 73.0 [72.0, 74.0] 5.0 [4.0, 6.0]",
		"seed 2 95.0 [94.0, 96.0] 63.0 [62.0, 64.0] 12.5",
	)
}
