package player

import (
	"math"

	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/routing"
)

// pageData is what the script reads. It is smaller than the explanations as JSON: the student, which is the same in
// all, is there once, and probabilities are whole numbers.
type pageData struct {
	Problem      routing.Problem   `json:"problem"`
	Student      explain.Student   `json:"student"`
	Explanations []pageExplanation `json:"explanations"`
}

// pageExplanation is an explanation. Its own fields take the place of those of the same name in JSON.
type pageExplanation struct {
	*explain.Explanation
	Student struct{}   `json:"student"`
	Steps   []pageStep `json:"steps"`
}

// pageStep is a step.
type pageStep struct {
	*explain.Step
	Student  parts   `json:"student,omitempty"`       // of 1,000
	Teacher  parts   `json:"teacher_probs,omitempty"` // of 1,000
	Programs []parts `json:"programs,omitempty"`      // of 1,000
	Weights  parts   `json:"weights,omitempty"`       // of 10,000
}

// parts are probabilities in parts of a whole, rounded.
type parts []int

func partsOf(probabilities []float32, whole float64) parts {
	var out parts
	for _, p := range probabilities {
		out = append(out, int(math.Round(float64(p)*whole)))
	}
	return out
}

func pageOf(e *explain.Explanation) pageExplanation {
	out := pageExplanation{Explanation: e}
	for i := range e.Steps {
		s := &e.Steps[i]
		p := pageStep{Step: s, Student: partsOf(s.Student, 1e3), Teacher: partsOf(s.Teacher, 1e3)}
		p.Weights = partsOf(s.Weights, 1e4)
		for _, Vm := range s.Programs {
			p.Programs = append(p.Programs, partsOf(Vm, 1e3))
		}
		out.Steps = append(out.Steps, p)
	}
	return out
}
