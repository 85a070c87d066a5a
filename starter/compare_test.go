package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
)

// finished is a run's report as far as it is compared.
func finished(id string, seed uint64, programs int, top1, gap float64) report.Data {
	d := report.Data{Run: report.Run{ID: id, Minutes: 2}, Bank: make([]bank.Heuristic, programs)}
	d.Config.Seed, d.Config.Name = seed, id
	d.Config.TextGrad.Off = strings.HasPrefix(id, "numeric")
	d.Fidelity.Top1, d.Fidelity.Coverage = top1, 0.95
	d.History = []report.Epoch{{ValTop1: top1 - 0.02}, {ValTop1: top1}}
	d.Events = []report.Event{{Kind: report.Added}, {Kind: report.Dropped}, {Kind: report.Dropped}}
	d.Table.Rows = []evaluate.Row{{Kind: evaluate.KindStudent, Greedy: &evaluate.Score{Gap: evaluate.Gap{Percent: gap}}}}
	return d
}

func compared(t *testing.T, runs ...report.Data) string {
	t.Helper()
	all, err := settings(runs)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	printComparison(&out, runs, all)
	printHistories(&out, all)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

// Runs that differ in their seed alone are one setting, whatever stands between them.
func TestCompareOverSeeds(t *testing.T) {
	got := compared(t,
		finished("numeric-1", 1, 14, 0.90, 8), finished("both-1", 1, 14, 0.93, 3),
		finished("numeric-2", 2, 14, 0.92, 6), finished("both-2", 2, 12, 0.93, 4), finished("both-3", 3, 10, 0.93, 5))
	for _, want := range []string{
		"numeric-2 2 2.0 14 0 1 2 2 0.950 0.920 0.000 +6.00 %",
		"over seeds: mean ± standard deviation",
		"numeric 2 2.0 ± 0.0 14.0 ± 0.0 0.0 ± 0.0 1.0 ± 0.0 2.0 ± 0.0 2.0 ± 0.0 0.950 ± 0.000 0.910 ± 0.014 0.000 ± 0.000 +7.00 ± 1.41 %",
		"both 3 2.0 ± 0.0 12.0 ± 2.0",
		"epoch numeric both\n1 0.8900 ± 0.0141 0.9100 ± 0.0000\n2 0.9100 ± 0.0141 0.9300 ± 0.0000",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

func TestCompareSingleRuns(t *testing.T) {
	got := compared(t, finished("numeric-1", 1, 14, 0.90, 8), finished("both-1", 1, 14, 0.93, 3))
	if strings.Contains(got, "over seeds") || !strings.Contains(got, "epoch numeric-1 both-1\n1 0.8800 0.9100\n2 0.9000 0.9300") {
		t.Errorf("two settings of one run each:\n%s", got)
	}
}
