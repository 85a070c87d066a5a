package standin

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/llm"
)

// prompt is what the stand-in reads in a user message of package textgrad.
type prompt struct {
	task        string  // BACKWARD CODE, STEP, …
	attempt     int     // from 1
	modes       int     // PROPOSE
	tauH        float64 // of the program
	program     string  // the source under "## Program"
	description string
	bank        []string  // PROPOSE: lines "name: description"
	failures    []failure // BACKWARD: one, PROPOSE: several
	directions  []string  // STEP: DIRECTION fields
	diagnoses   []string  // STEP: the texts of the gradients
	persistent  bool      // STEP: there are persistent gradients
	rejected    []string  // STEP: sources of rejected edits
}

// failure is one table of candidates with the state around it.
type failure struct {
	progress                               float64 // share of the solution already built
	remaining                              float64 // CVRP: room in the vehicle, in loads
	home                                   bool    // CVRP: the vehicle is at the depot
	program1, program2, teacher1, teacher2 row
}

// row holds a candidate's columns. Columns that its problem does not have are zero.
type row struct {
	distance, isolation, toStart, toCentroid float64 // CVRP: the way there, the other waiting customers, the depot
	twoStep                                  float64
	where                                    string // customer, depot, customer via depot
	demand, room                             float64
	saving, detour, bearing, turn            float64
}

// home reports whether the way leads to the depot, or to a customer by way of the depot.
func (r row) home() bool { return strings.HasSuffix(r.where, depot) }

// column returns the field for the column of a heading, or nil if there is none.
func (r *row) column(heading string) *float64 {
	return map[string]*float64{
		"distance": &r.distance, "way": &r.distance, "isolation": &r.isolation,
		"to start": &r.toStart, "to depot": &r.toStart, "to centroid": &r.toCentroid, "two-step": &r.twoStep,
		"demand": &r.demand, "room after": &r.room, "saving": &r.saving, "detour": &r.detour,
		"bearing": &r.bearing, "turn": &r.turn,
	}[heading]
}

var (
	attemptLine = regexp.MustCompile(`(?m)\b(?:Attempt|Call|Repair) (\d+)`)
	tauLine     = regexp.MustCompile(`divided by τ_h = ([0-9.e-]+) before`)
	modesLine   = regexp.MustCompile(`(?:Failure m|M)odes wanted: (\d+)`)
	doneLine    = regexp.MustCompile(`(?:Step|served:) [^(\n]*\((\d+) %`)
	roomLine    = regexp.MustCompile(`room for ([0-9.]+) % of a load`)
	tableHead   = regexp.MustCompile(`(?m)^\| choice +\|([^\n]*)\|$`)
	tableRow    = regexp.MustCompile(`(?m)^\| (program|teacher) ([12]) \|([^\n]*)\|$`)
	direction   = regexp.MustCompile(`(?m)^DIRECTION: (.*)$`)
)

func parse(user string) prompt {
	p := prompt{attempt: 1, modes: 1, tauH: usualTauH}
	head, rest, _ := strings.Cut(user, "\n")
	p.task = strings.TrimPrefix(head, "# Task: ")
	preamble, _, _ := strings.Cut(rest, "\n## ")
	if m := attemptLine.FindStringSubmatch(preamble); m != nil {
		p.attempt, _ = strconv.Atoi(m[1])
	}
	if m := modesLine.FindStringSubmatch(preamble); m != nil {
		p.modes, _ = strconv.Atoi(m[1])
	}
	if m := tauLine.FindStringSubmatch(rest); m != nil {
		p.tauH, _ = strconv.ParseFloat(m[1], 64)
	}
	for _, section := range strings.Split("\n"+rest, "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		text = strings.TrimSpace(text)
		switch title {
		case "Program":
			p.program = llm.Code(text)
		case "Description":
			p.description = text
		case "Bank":
			for _, line := range strings.Split(text, "\n") {
				if entry, ok := strings.CutPrefix(line, "- "); ok {
					p.bank = append(p.bank, entry)
				}
			}
		case "Failure":
			p.failures = append(p.failures, parseFailure(text))
		case "Failures", "States":
			for _, f := range strings.Split("\n"+text, "\n### ")[1:] {
				p.failures = append(p.failures, parseFailure(f))
			}
		case "Gradients", "Persistent gradients":
			p.persistent = p.persistent || title == "Persistent gradients"
			p.diagnoses = append(p.diagnoses, text)
			for _, m := range direction.FindAllStringSubmatch(text, -1) {
				p.directions = append(p.directions, m[1])
			}
		case "Rejected edits":
			for _, r := range strings.Split("\n"+text, "\n### ")[1:] {
				if src := llm.Code(r); strings.Contains(src, "func Score(") { // some replies held no program
					p.rejected = append(p.rejected, src)
				}
			}
		}
	}
	return p
}

func parseFailure(text string) failure {
	var f failure
	if m := doneLine.FindStringSubmatch(text); m != nil {
		percent, _ := strconv.Atoi(m[1])
		f.progress = float64(percent) / 100
	}
	if m := roomLine.FindStringSubmatch(text); m != nil {
		percent, _ := strconv.ParseFloat(m[1], 64)
		f.remaining = percent / 100
	}
	f.home = strings.Contains(text, "stands at the depot")
	head := tableHead.FindStringSubmatch(text)
	if head == nil {
		return f
	}
	headings := cells(head[1])
	for _, m := range tableRow.FindAllStringSubmatch(text, -1) {
		var r row
		for i, cell := range cells(m[3]) {
			if i == len(headings) {
				break
			}
			value, percent := strings.CutSuffix(cell, " %")
			x, _ := strconv.ParseFloat(value, 64) // a position is no number, and nobody reads it
			if percent {
				x /= 100
			}
			if to := r.column(headings[i]); to != nil {
				*to = x
			}
			if headings[i] == "where" {
				r.where = cell
			}
		}
		switch m[1] + m[2] {
		case "program1":
			f.program1 = r
		case "program2":
			f.program2 = r
		case "teacher1":
			f.teacher1 = r
		case "teacher2":
			f.teacher2 = r
		}
	}
	return f
}

// cells returns the cells of a line of a table.
func cells(line string) []string {
	out := strings.Split(line, "|")
	for i, c := range out {
		out[i] = strings.TrimSpace(c)
	}
	return out
}
