package compare

import (
	"cmp"
	"context"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
)

// OfStudent returns what is known of a student without a report, in the form of a report: its bank and its manifest.
func OfStudent(files distilled.Files) report.Data {
	m := files.Manifest
	d := report.Data{Run: report.Run{Version: m.EPB, Kernels: m.Kernels}}
	d.Config.Problem, d.Config.Nodes, d.Config.Seed = m.Problem, m.Nodes, m.Seed
	d.Config.Student.Routing = string(cmp.Or(files.Model.Config.Routing, student.Soft))
	d.Teacher.Name, d.Bank = m.Teacher, files.Bank.Heuristics
	return d
}

// MeasureStudent adds to d what a student does on instances beside its teacher, the classic constructions and its
// programs by themselves, as the report of a run has it. The seed is that of the intervals.
func MeasureStudent(
	ctx context.Context, d *report.Data, s *evaluate.Student, teacher routing.Policy, insts []routing.Instance,
	seed uint64,
) error {
	sh, err := rollout.Record(ctx, teacher, insts, routing.SingleRun, nil)
	if err != nil {
		return err
	}
	set, err := s.Programs.Score(ctx, sh)
	if err != nil {
		return err
	}
	reading, err := evaluate.Inspect(ctx, s.Model, s.Programs.Bank, set)
	if err != nil {
		return err
	}
	c, err := evaluate.Compare(ctx, insts, teacher, s, evaluate.Options{
		Modes: []evaluate.Mode{evaluate.Greedy}, Heuristics: true, Baselines: true, Reading: &reading, Seed: seed,
	})
	if err != nil {
		return err
	}
	d.Fidelity, d.Activation = reading.Fidelity, reading.Activation
	d.Table, d.Overlap = c.Table.WithBestProgram(), c.Overlap
	return nil
}
