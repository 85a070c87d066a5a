package standin

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/epb-nco/epb/internal/llm"
)

// prompt is what the stand-in reads in the messages of package textgrad.
type prompt struct {
	sdk         string // the package that programs are written for
	task        string // BACKWARD CODE, STEP, …
	attempt     int    // from 1
	modes       int    // PROPOSE
	most        int    // terms of a program, the way there included
	tauH        float64
	phases      bool   // programs can ask how far the solution is
	name        string // IMPLEMENT: of the package
	program     string // the source under "## Program"
	description string
	bank        []string // entries "name: description", in a line each
	failures    []failure
	gradients   []gradient // the persistent ones at the end
	rejected    []string   // STEP: sources of rejected edits
	evidence    []signal   // the table's rows
	listed      []measure  // those that the rules list
	right       float64    // STEP: share of the program's own first choices that are right; 1 where nothing says it
	stages      []stage    // STEP: the same by the way through the solution
	turns       float64    // a habit: 1 counterclockwise, -1 clockwise, 0 neither
	lots        *rand.Rand // the null writer's; nil for the stand-in
}

// stage is a row of a program's record.
type stage struct{ from, to, states, right float64 }

// failure is a state in which the two picks differ.
type failure struct {
	rows      map[string]map[string]float64 // by choice ("program 1") and heading
	contrasts []contrast                    // as the prompt lists them, or else of the columns
	weights   []contrast                    // what each weight adds to the two picks
}

// contrast is something in which the two picks differ.
type contrast struct {
	name, says       string
	program, teacher float64
	spreads          float64 // teacher − program in spreads over the candidates of the state
}

// gradient is a diagnosis, as far as the stand-in can read it: its own form is.
type gradient struct {
	contrasts, weights []contrast
	wants              []signal // of its direction: +1 or -1, with name and words
}

var (
	sdkLine      = regexp.MustCompile(`(?:func Score\(s \*|programs of package )(\w+)\b`)
	attemptLine  = regexp.MustCompile(`(?m)\b(?:Attempt|Repair) (\d+)`)
	tauLine      = regexp.MustCompile(`divided by τ_h = ([0-9.e-]+) before`)
	modesLine    = regexp.MustCompile(`(?:Failure m|M)odes wanted: (\d+)`)
	nameLine     = regexp.MustCompile(`The package is called (\w+)\.`)
	rightLine    = regexp.MustCompile(`own first choice is the teacher's in ([0-9.]+) %`)
	stageText    = regexp.MustCompile(`(\d+)–(\d+) %: ([0-9.]+) % of (\d+)`)
	habitLine    = regexp.MustCompile(`(?m)^- Direction: .* run (clockwise|counterclockwise), a fixed habit`)
	tableHead    = regexp.MustCompile(`(?m)^\| choice \|([^\n]*)\|$`)
	tableRow     = regexp.MustCompile(`(?m)^\| ((?:, |program 1|program 2|teacher 1|teacher 2)+) \|([^\n]*)\|$`)
	mostLine     = regexp.MustCompile(`At most (\d+) terms beside the distance`)
	measuresLine = regexp.MustCompile(`weighs at most (\d+) measures\s+beside the distance`)
	evidenceLine = regexp.MustCompile(`(?m)^\| ([^|\n]+) \| ([+-][0-9.]+) \| \S+ \| ([^|\n]+) \|$`)
	contrastLine = regexp.MustCompile(`(?m)^\| ([^|\n]+) \| (\S+) \| (\S+) \| ([+-][0-9.]+) \| ([^|\n]+) \|$`)
	weightLine   = regexp.MustCompile(`(?m)^\| (\w+) \| (-?[0-9][0-9.e+-]*) \| (-?[0-9][0-9.e+-]*) \|$`)
	briefLine    = regexp.MustCompile(`(?m)^By how much teacher 1 exceeds program 1, in spreads: (.*)\.$`)
	briefly      = regexp.MustCompile(`(?:^|, )(.+?) ([+-][0-9.]+)`)
)

// parse reads the two messages of a prompt.
func parse(system, user string) prompt {
	p := prompt{attempt: 1, modes: 1, most: usualTerms, tauH: usualTauH, right: 1, listed: parseMeasures(system)}
	if m := mostLine.FindStringSubmatch(system); m != nil {
		most, _ := strconv.Atoi(m[1])
		p.most = most + 1
	}
	if m := measuresLine.FindStringSubmatch(system); m != nil {
		most, _ := strconv.Atoi(m[1])
		p.most = min(p.most, most+1)
	}
	if m := sdkLine.FindStringSubmatch(system + user); m != nil {
		p.sdk = m[1]
	}
	p.phases = p.sdk == "tsp" || p.sdk == "cvrp" // the others do not see how far the solution is
	if m := habitLine.FindStringSubmatch(system); m != nil {
		p.turns = map[string]float64{"counterclockwise": 1, "clockwise": -1}[m[1]]
	}
	head, rest, _ := strings.Cut(user, "\n")
	p.task = strings.TrimPrefix(head, "# Task: ")
	preamble, _, _ := strings.Cut(rest, "\n## ")
	if m := attemptLine.FindStringSubmatch(preamble); m != nil {
		p.attempt, _ = strconv.Atoi(m[1])
	}
	if m := modesLine.FindStringSubmatch(preamble); m != nil {
		p.modes, _ = strconv.Atoi(m[1])
	}
	if m := nameLine.FindStringSubmatch(preamble); m != nil {
		p.name = m[1]
	}
	if m := tauLine.FindStringSubmatch(rest); m != nil {
		p.tauH = toNumber(m[1])
	}
	for _, section := range strings.Split("\n"+rest, "\n## ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		p.read(title, strings.TrimSpace(text))
	}
	return p
}

// usualTauH and usualTerms are what stands for τ_h and most where a prompt does not say them.
const (
	usualTauH  = 0.05
	usualTerms = 5
)

// read reads a section of the user's message.
func (p *prompt) read(title, text string) {
	switch title {
	case "Program":
		p.program = llm.Code(text)
	case "Description":
		p.description, _, _ = strings.Cut(text, "\n\nIts program: ") // which is no part of it
	case "Bank":
		for _, entry := range strings.Split("\n"+text, "\n- ")[1:] { // a description has several lines
			p.bank = append(p.bank, strings.Join(strings.Fields(entry), " "))
		}
	case "Record":
		if m := rightLine.FindStringSubmatch(text); m != nil {
			p.right = toNumber(m[1]) / 100
		}
		for _, m := range stageText.FindAllStringSubmatch(text, -1) {
			p.stages = append(p.stages, stage{
				toNumber(m[1]) / 100, toNumber(m[2]) / 100, toNumber(m[4]), toNumber(m[3]) / 100,
			})
		}
	case "Evidence":
		for _, m := range evidenceLine.FindAllStringSubmatch(text, -1) {
			// The table has thousandths of a nat. A negative slope is a wish for more.
			code := codeOf(m[1])
			p.evidence = append(p.evidence, signal{
				measure{name: nameOf(code), code: code, says: m[3]}, -toNumber(m[2]) / 1000,
			})
		}
	case "Failure":
		p.failures = append(p.failures, p.failure(text))
	case "Failures", "States":
		for _, f := range strings.Split("\n"+text, "\n### ")[1:] {
			p.failures = append(p.failures, p.failure(f))
		}
	case "Gradients", "Persistent gradients":
		for _, g := range strings.Split("\n"+text, "\n### ")[1:] {
			p.gradients = append(p.gradients, parseGradient(g))
		}
	case "Rejected edits":
		for _, r := range strings.Split("\n"+text, "\n### ")[1:] {
			if src := llm.Code(r); strings.Contains(src, "func Score(") { // some replies held no program
				p.rejected = append(p.rejected, src)
			}
		}
	}
}

// failure reads a failure with its tables.
func (p *prompt) failure(text string) failure {
	f := failure{rows: map[string]map[string]float64{}}
	head := tableHead.FindStringSubmatch(text)
	if head == nil {
		return f
	}
	headings := cells(head[1])
	for _, m := range tableRow.FindAllStringSubmatch(text, -1) {
		row := map[string]float64{}
		for i, cell := range cells(m[2]) {
			if i < len(headings) {
				row[headings[i]] = cellValue(cell)
			}
		}
		for _, choice := range strings.Split(m[1], ", ") {
			f.rows[choice] = row
		}
	}
	text, weights, _ := strings.Cut(text, "\nWhat each weight adds")
	for _, m := range contrastLine.FindAllStringSubmatch(text, -1) {
		f.contrasts = append(f.contrasts, contrast{
			nameOf(codeOf(m[1])), m[5], toNumber(m[2]), toNumber(m[3]), toNumber(m[4]),
		})
	}
	if m := briefLine.FindStringSubmatch(text); m != nil {
		for _, c := range briefly.FindAllStringSubmatch(m[1], -1) {
			f.contrasts = append(f.contrasts, contrast{name: nameOf(codeOf(c[1])), spreads: toNumber(c[2])})
		}
	}
	for _, m := range weightLine.FindAllStringSubmatch(weights, -1) {
		f.weights = append(f.weights, contrast{name: m[1], program: toNumber(m[2]), teacher: toNumber(m[3])})
	}
	if len(f.contrasts) == 0 {
		f.contrasts = f.ofColumns(p.sdk)
	}
	return f
}

// ofColumns compares the two picks by the columns of the table, in spreads over its rows, the largest first.
func (f failure) ofColumns(sdk string) []contrast {
	var all []contrast
	for _, c := range columns[sdk] {
		var values []float64
		for _, choice := range []string{"program 1", "program 2", "teacher 1", "teacher 2"} {
			if v, ok := f.rows[choice][c.heading]; ok {
				values = append(values, v)
			}
		}
		spread := deviation(values)
		if spread < 1e-3 { // what the tables round to
			continue
		}
		program, teacher := f.rows["program 1"][c.heading], f.rows["teacher 1"][c.heading]
		all = append(all, contrast{c.measure.name, c.measure.says, program, teacher, (teacher - program) / spread})
	}
	slices.SortStableFunc(all, func(a, b contrast) int { return larger(a.spreads, b.spreads) })
	return all
}

// larger compares two numbers by size, the larger first.
func larger(a, b float64) int {
	switch {
	case math.Abs(a) > math.Abs(b):
		return -1
	case math.Abs(a) < math.Abs(b):
		return 1
	}
	return 0
}

func deviation(values []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(max(1, len(values))))
}

// cells returns the cells of a line of a table.
func cells(line string) []string {
	out := strings.Split(line, "|")
	for i, c := range out {
		out[i] = strings.TrimSpace(c)
	}
	return out
}

// cellValue returns the number in a cell. Of a place to go to it is 1 for the depot and for a way by it.
func cellValue(cell string) float64 {
	if strings.HasSuffix(cell, "depot") {
		return 1
	}
	if share, ok := strings.CutSuffix(cell, " %"); ok {
		return toNumber(share) / 100
	}
	return toNumber(cell)
}

// toNumber returns the number that a text is, 0 if it is none: a position is not, and nobody reads it.
func toNumber(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}
