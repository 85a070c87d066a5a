// Package bankcheck measures the programs of a bank on states that a teacher decided. It can compare them with another
// bank, such as the one before an edit.
package bankcheck

import (
	"context"
	"fmt"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
)

// Report is what a check found.
type Report struct {
	States  string              `json:"states"`        // where they come from, in words; empty where there are none
	Now     *evaluate.Judgement `json:"now,omitempty"` // not without states
	Was     *evaluate.Judgement `json:"was,omitempty"` // of the other bank
	Changes map[string]string   `json:"changes,omitempty"`

	Weights map[string][]heuristic.Weight `json:"weights,omitempty"` // of the programs that have any, by name
	Natures map[string]bank.Nature        `json:"natures,omitempty"` // of the programs, by name

	// StepSeconds is how long each program took over a state, by name: seconds of one core, on this machine.
	StepSeconds map[string]float64 `json:"step_seconds,omitempty"`

	bank *bank.Bank
}

// Of judges the programs of a bank on the states of a shard, mixed by a router or, if that is nil, evenly.
func Of(ctx context.Context, p *evaluate.Programs, sh *rollout.Shard, router *student.Model) (Report, error) {
	r := Report{bank: p.Bank}
	r.States = fmt.Sprintf("%d states of %d tours of %d nodes by %s", sh.States(), sh.Trajectories(), sh.N, sh.Teacher)
	now, seconds, err := judge(ctx, p, sh, router)
	if err != nil {
		return r, err
	}
	r.Now, r.StepSeconds = &now, map[string]float64{}
	for m, h := range p.Bank.Heuristics {
		r.StepSeconds[h.Name] = seconds[m]
	}
	return r, nil
}

// Against judges the programs of another bank, the old one, on the same states, and notes the change of each program.
func (r *Report) Against(
	ctx context.Context, old *evaluate.Programs, sh *rollout.Shard, router *student.Model,
) error {
	was, _, err := judge(ctx, old, sh, router)
	if err != nil {
		return err
	}
	r.Was, r.Changes = &was, changes(old.Bank, r.bank)
	return nil
}

func judge(
	ctx context.Context, p *evaluate.Programs, sh *rollout.Shard, router *student.Model,
) (evaluate.Judgement, []float64, error) {
	set, seconds, err := p.ScoreTimed(ctx, sh)
	if err != nil {
		return evaluate.Judgement{}, nil, err
	}
	j, err := evaluate.Judge(ctx, p.Bank, set, router)
	return j, seconds, err
}

// changes returns the change of each program, by name.
func changes(old, new *bank.Bank) map[string]string {
	kinds := map[string]string{}
	for _, c := range bank.Diff(old, new) {
		if c.New == nil {
			kinds[c.Old.Name] = string(c.Kind)
			continue
		}
		kinds[c.New.Name] = string(c.Kind)
	}
	return kinds
}

// Program is a program's verdict with notes on it.
type Program struct {
	evaluate.ProgramVerdict
	Notes []string
}

// Programs returns the verdicts on the programs of the bank, and after them on those that only the old bank has.
func (r Report) Programs() []Program {
	was := map[string]evaluate.ProgramVerdict{}
	if r.Was != nil {
		for _, p := range r.Was.Programs {
			was[p.Name] = p
		}
	}
	var all []Program
	for _, p := range r.Now.Programs {
		var notes []string
		if kind := r.Changes[p.Name]; kind != "" {
			notes = append(notes, kind)
		}
		if old, ok := was[p.Name]; ok && (old.Top1 != p.Top1 || old.KL != p.KL) {
			notes = append(notes, fmt.Sprintf("was top-1 %.1f %%, KL %.3f", 100*old.Top1, old.KL))
		}
		all = append(all, Program{p, append(notes, suspect(p)...)})
	}
	if r.Was == nil {
		return all
	}
	for _, p := range r.Was.Programs {
		if r.Changes[p.Name] == string(bank.Removed) {
			all = append(all, Program{p, append([]string{"removed"}, suspect(p)...)})
		}
	}
	return all
}

// suspect notes that a program does not decide in every second state, that it is wrong at any temperature, or that
// another temperature would fit it far better: twice or half as high.
func suspect(p evaluate.ProgramVerdict) (notes []string) {
	switch {
	case p.Tied == 1:
		return []string{"decides nothing: its best candidates tie in every state"}
	case p.Tied > 0.5:
		notes = append(notes, fmt.Sprintf("its best candidates tie in %.0f %% of the states", 100*p.Tied))
	}
	switch {
	case !p.HasScale && p.FitTauH > p.TauH:
		notes = append(notes, "no τ_h up to 100 fits: wrong more often than right, or scores of another size")
	case p.HasScale && (p.FitTauH > 2*p.TauH || p.FitTauH < p.TauH/2):
		notes = append(notes, fmt.Sprintf("τ_h %.2g would fit best", p.FitTauH))
	}
	return notes
}
