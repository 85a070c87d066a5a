package preflight

import (
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/teacher"
)

// Plan says what a run will do, in lines.
func Plan(cfg config.Distill, in *input.Checked) string {
	w := &strings.Builder{}
	e := in.Estimate(cfg)
	what := fmt.Sprintf("%d parameters", in.Teacher.Info().Parameters)
	if in.Rollouts != nil {
		what = fmt.Sprintf("known by %d recorded instances", in.Rollouts.Instances())
	}
	fmt.Fprintf(w, "Teacher    %s, %s (%s)\n", in.TeacherName(), what, cfg.Teacher)
	if words := argsWords(in, cfg.Nodes); words != "" {
		fmt.Fprintln(w, "          ", words)
	}
	fmt.Fprintf(w, "Data       %d training trajectories on %s-%d: %d states; %d validation states; %d test instances\n",
		e.Trajectories, strings.ToUpper(string(cfg.Problem)), cfg.Nodes, e.TrainStates, e.ValStates, cfg.Data.Test)
	if e.Dagger > 0 {
		fmt.Fprintf(w, "           and in every pass from the second on %d of the instances "+
			"as the student solves them,\n"+
			"           which is data.dagger in whole shards and not counted here\n", e.Dagger)
	}
	programs, from := in.Programs(cfg), cfg.Bank
	if cfg.Bank == config.SketchBank {
		from = "which the sketch makes"
	}
	grows := ""
	if !cfg.Add.Off {
		grows = fmt.Sprintf(", at most %d after Add", max(cfg.Add.MaxBank, programs))
	}
	fmt.Fprintf(w, "Bank       %d programs (%s)%s\n", programs, from, grows)
	fmt.Fprintf(w, "SGD        %d steps an epoch, at most %d epochs, at most %d states\n", e.StepsPerEpoch, e.MaxEpochs,
		e.MaxStates)
	fmt.Fprintf(w, "LLM        at most %d calls and %.1f million answer tokens, repairs not counted\n",
		e.MaxLLMCalls, float64(e.MaxLLMCalls*cfg.LLM.MaxTokens)/1e6)
	return w.String()
}

// argsWords says how far it is known what an attention model was trained for, and whether a run's instances are of
// another size, or nothing of another teacher.
func argsWords(in *input.Checked, nodes int) string {
	info := in.Teacher.Info()
	switch args := in.TeacherArgs; {
	case info.Arch != teacher.AM:
		return ""
	case args != nil && args.Problem != "" && args.GraphSize > 0:
		words := fmt.Sprintf("trained for %s on %d nodes, as its args.json says", strings.ToUpper(string(info.Problem)),
			args.GraphSize)
		if args.GraphSize != nodes {
			words += fmt.Sprintf(", and the run's instances have %d", nodes)
		}
		return words
	case args != nil && args.Problem != "":
		return fmt.Sprintf("trained for %s, as its args.json says", strings.ToUpper(string(info.Problem)))
	case problems.Must(info.Problem).Traits().Depot:
		return "no args.json beside it says what it was trained for: the problem is the config's, " +
			"but a checkpoint for the\n           orienteering problem (OP) has the same tensors"
	}
	return ""
}
