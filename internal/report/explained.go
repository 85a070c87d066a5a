package report

import (
	"context"
	"fmt"
	"html/template"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/player"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// mostPart bounds what the explanations of a report hold, in nodes times programs: two tours of 500 nodes by 36
// programs. A page with so many stays under 5 MB.
const mostPart = 2 * 500 * 36

// Explain fills in Explained, the student's greedy solutions of the first test instances as a page shows them, and the
// student for the page. The solutions begin where they began in the comparison, so that they are the ones of PairTours.
// The teacher, unless nil, is asked in every state of the student; one that is known by its rollouts only cannot be. Of
// large instances only the first are explained, so that the page stays small.
func (d *Data) Explain(
	ctx context.Context, tools *compile.Toolchain, c evaluate.Comparison, s *evaluate.Student, t *teacher.Teacher,
	insts []routing.Instance,
) error {
	if len(insts) == 0 {
		return nil
	}
	insts = insts[:min(len(insts), max(1, mostPart/(insts[0].N()*len(d.Bank))))]
	about := distilled.Manifest{Start: s.Start, Teacher: d.Teacher.Name, Nodes: d.Config.Nodes}
	x, err := explain.New(s, about, t)
	if err != nil {
		return err
	}
	d.Explained = make([]explain.Explanation, len(insts))
	for i := range insts {
		start, words := explain.Start(s)
		if c.Starts != nil {
			start = c.Starts[i]
			if s.Start == startrule.None {
				words = "It begins where all policies of the comparison begin."
			}
		}
		file := instances.OfInstance(insts[i])
		file.Instance.Name = fmt.Sprintf("test instance %d", i)
		e, err := x.Explain(ctx, &file, start, words)
		if err != nil {
			return err
		}
		if e.Others, err = explain.Classics(&file); err != nil {
			return err
		}
		d.Explained[i] = e.Trim(player.Candidates)
	}
	files := distilled.Files{Manifest: about, Bank: s.Programs.Bank, Model: s.Model}
	if d.Solver, err = export.Wasm(ctx, tools, files); err != nil {
		if ctx.Err() != nil {
			return err
		}
		d.NoSolver = err.Error() // a report without it is better than none
	}
	return nil
}

// stepper is the player of a report.
type stepper struct {
	player.Assets
	Section template.HTML
}

// stepperOf returns the player of a report's explanations, nil without any.
func stepperOf(d Data, colour []string) (*stepper, error) {
	if len(d.Explained) == 0 {
		return nil, nil
	}
	assets, err := player.LoadAssets()
	if err != nil {
		return nil, err
	}
	section, err := player.Section("player", player.Deck{
		Explanations: d.Explained, Colours: colour, Solver: d.Solver, NoSolver: d.NoSolver,
	})
	if err != nil {
		return nil, err
	}
	return &stepper{assets, section}, nil
}
