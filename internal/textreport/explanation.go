package textreport

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/epb-nco/epb/internal/decimal"
	"github.com/epb-nco/epb/internal/explain"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/terminal"
)

// Explanation prints an explanation: the instance, costs, a line for each step that show asks for, and what the steps
// have in common.
func Explanation(w io.Writer, e *explain.Explanation, show func(*explain.Step) bool) error {
	explainedInstance(w, e)
	if err := explainedCosts(w, e); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := explainedSteps(w, e, show); err != nil {
		return err
	}
	explainedTerms(w, e, show)
	explainedSummary(w, e, show)
	return nil
}

// explainedTerms says what the terms of the shown steps are, by what the leaders' weights weigh.
func explainedTerms(w io.Writer, e *explain.Explanation, show func(*explain.Step) bool) {
	var all []string
	for i := range e.Steps {
		s := &e.Steps[i]
		if s.Terms == nil || !show(s) {
			continue
		}
		for _, term := range apart(&e.Student.Programs[s.Leader], s.Terms) {
			if means := e.Student.Programs[s.Leader].Meanings[term.name]; means != "" {
				all = append(all, term.name+", "+terminal.Line(means))
			}
		}
	}
	if slices.Sort(all); len(all) > 0 {
		fmt.Fprintln(w)
		terminal.Wrapped(w, "Terms: "+strings.Join(slices.Compact(all), "; ")+".")
	}
}

// explainedInstance says what was solved, and by whom.
func explainedInstance(w io.Writer, e *explain.Explanation) {
	in, s := &e.Instance, &e.Student
	fmt.Fprintf(w, "%s: %s of %d nodes, %s (%s).\n", terminal.Line(in.Name), strings.ToUpper(string(e.Problem)),
		len(in.Coords)/2, in.Metric, in.Rounding)
	for _, note := range e.Notes {
		fmt.Fprintf(w, "%s: %s\n", in.Metric, note)
	}
	how := "mixed by their weights"
	if s.Routing == student.Hard {
		how = "the one of the largest weight decides each step"
	}
	from := ""
	if s.Teacher != "" {
		from = " distilled from " + terminal.Line(s.Teacher)
	}
	fmt.Fprintf(w, "The student%s has %d programs, %s.", from, len(s.Programs), how)
	if s.Nodes > 0 && s.Nodes != problems.Size(e.Problem, len(in.Coords)/2) {
		fmt.Fprintf(w, " It learned from instances of %s.", problems.Sized(e.Problem, s.Nodes))
	}
	fmt.Fprintf(w, "\n%s", e.Start)
	if e.HasDepot() {
		fmt.Fprint(w, " Node 0 is the depot.\n\n")
		return
	}
	fmt.Fprintf(w, " The tour begins at node %s.\n\n", e.Node(e.Actions[0]))
}

// explainedCosts prints the student's cost beside those of the classic methods and the best known one.
func explainedCosts(w io.Writer, e *explain.Explanation) error {
	rounds := e.Instance.Metric.Rounds()
	best := e.Instance.BestKnown
	var table terminal.Table
	head := []string{"solution", "cost"}
	if rounds {
		head = append(head, "unrounded")
	}
	head = append(head, "compared with "+solver(e))
	if best > 0 {
		head = append(head, "gap to best known")
	}
	table.Row(head...)
	for i, c := range append([]explain.Cost{e.Cost}, e.Others...) {
		cells := []string{c.Name, costCell(c.Rounded)}
		if rounds {
			cells = append(cells, fmt.Sprintf("%.2f", c.Unrounded))
		}
		gap := ""
		if i > 0 {
			gap = gapCell(c.Rounded, e.Cost.Rounded)
		}
		cells = append(cells, gap)
		if best > 0 {
			cells = append(cells, gapCell(c.Rounded, best))
		}
		table.Row(cells...)
	}
	if best > 0 {
		table.Row("best known", costCell(best))
	}
	if err := table.Fprint(w); err != nil {
		return err
	}
	for _, c := range e.Others {
		if c.Rounded < e.Cost.Rounded {
			terminal.Wrapped(w, "That of "+solver(e)+" is not the best: the steps below say what it does, not what is "+
				"good.")
			break
		}
	}
	return nil
}

// solver names who solved the instance.
func solver(e *explain.Explanation) string {
	if e.Along {
		return terminal.Line(e.Cost.Name)
	}
	return "the student"
}

// explainedSteps prints the steps, each with what led to it in the lines below.
func explainedSteps(w io.Writer, e *explain.Explanation, show func(*explain.Step) bool) error {
	var table terminal.Table
	head := []string{"step", "from", "to", "rank", "probability", "leader", "weight", "ahead by", "agree",
		"others would choose"}
	switch {
	case e.Along:
		head = append(head, "student")
	case e.Teacher != "":
		head = append(head, "teacher")
	}
	table.Row(head...)
	var below [][]string
	for i := range e.Steps {
		s := &e.Steps[i]
		if !show(s) {
			continue
		}
		table.Row(stepCells(e, s)...)
		below = append(below, slices.Concat(whyChoice(e, s), whyLeader(e, s)))
	}
	if len(below) == 0 {
		fmt.Fprintln(w, "No step is like that.")
		return nil
	}
	var text bytes.Buffer
	if err := table.Fprint(&text); err != nil {
		return err
	}
	row := -1
	for line := range strings.Lines(text.String()) {
		fmt.Fprint(w, line)
		if row >= 0 {
			for _, more := range below[row] {
				fmt.Fprintf(w, "       %s\n", more)
			}
		}
		row++
	}
	return nil
}

// stepCells are the cells of one step.
func stepCells(e *explain.Explanation, s *explain.Step) []string {
	cells := []string{strconv.Itoa(s.Step), e.Node(s.From), e.Node(s.Action)}
	switch {
	case s.Forced:
		return append(cells, "", "", "nothing to choose")
	case s.Via:
		return append(cells, "", "", "as decided the step before")
	}
	label := func(m int) string { return e.Student.Programs[m].Label }
	program, taken := label, e.Taken(s)
	if parted(e, s) {
		program = func(m int) string { return label(m) + " → " + e.Node(s.Firsts[m]) }
	}
	leader := program(s.Leader)
	ahead := fmt.Sprintf("%.1f", 100*s.Margin)
	if s.LeaderTie { // less than 1, which is not to be rounded up
		ahead = fmt.Sprintf("%.1f", math.Floor(1000*float64(s.Margin))/10)
		leader += " = " + program(s.Second)
		ahead += " tie"
	}
	var others []string
	for _, o := range s.Opinions(taken) {
		text := e.Node(o.Candidate) + ":"
		for _, m := range o.Programs {
			text += " " + label(m)
		}
		others = append(others, text)
	}
	probability := fmt.Sprintf("%.2f", s.Prob)
	if s.ChoiceTie && !parted(e, s) {
		probability += " tie"
	}
	cells = append(cells, strconv.Itoa(s.Rank), probability, leader, decimal.Percent(float64(s.Weights[s.Leader])),
		ahead, fmt.Sprintf("%d of %d", len(s.Choosers(taken)), len(s.Weights)), strings.Join(others, ", "))
	switch {
	case s.TeacherFirst < 0:
	case e.Along:
		cells = append(cells, studentCell(e, s))
	default:
		cells = append(cells, teacherCell(e, s))
	}
	return cells
}

// parted says whether a step is the teacher's and the student would have taken another one.
func parted(e *explain.Explanation, s *explain.Step) bool { return e.Along && s.Parts() }

// studentCell says what the student would choose at a step of the teacher's, and where that is something else, how much
// it thinks of it.
func studentCell(e *explain.Explanation, s *explain.Step) string {
	if !s.Parts() {
		return "agrees"
	}
	tie := ""
	if s.ChoiceTie {
		tie = " tie"
	}
	return fmt.Sprintf("%s (%.2f%s)", e.Node(s.Candidates[s.Chosen]), s.Student[s.Chosen], tie)
}

// teachersPrograms says which programs would by themselves take a step of the teacher's that the student would not
// take, and how much the router trusts them.
func teachersPrograms(e *explain.Explanation, s *explain.Step) string {
	var names []string
	var weight float32
	for _, m := range s.Choosers(s.TeacherFirst) {
		names = append(names, e.Student.Programs[m].Label)
		weight += s.Weights[m]
	}
	taken := e.Node(s.TeacherFirst)
	switch len(names) {
	case 0:
		return fmt.Sprintf("%s is chosen by no program.", taken)
	case 1:
		return fmt.Sprintf("%s is chosen by %s, which has %s of the weight.", taken, names[0],
			decimal.Percent(float64(weight)))
	}
	return fmt.Sprintf("%s is chosen by %s, which have %s of the weight together.", taken, strings.Join(names, ", "),
		decimal.Percent(float64(weight)))
}

// teacherCell says what the teacher would choose, and where that is something else, how much it thinks of both.
func teacherCell(e *explain.Explanation, s *explain.Step) string {
	if !s.Parts() {
		return "agrees"
	}
	first := 0
	for k, c := range s.Candidates {
		if c == s.TeacherFirst {
			first = k
		}
	}
	return fmt.Sprintf("%s (%.2f, and %.2f for %s)", e.Node(s.TeacherFirst), s.Teacher[first], s.Teacher[s.Chosen],
		e.Node(s.Candidates[s.Chosen]))
}

// whyChoice says who would take a step of the teacher's that the student would not take, which terms of the leader
// speak for the student's choice, compared with the teacher's where that is another one and else with the next best,
// and what the student would do without its leader.
func whyChoice(e *explain.Explanation, s *explain.Step) []string {
	if !s.Decided() {
		return nil
	}
	var lines []string
	leader := e.Student.Programs[s.Leader].Label
	if parted(e, s) {
		lines = append(lines, teachersPrograms(e, s))
	}
	if s.Outvoted() {
		lines = append(lines, outvoted(e, s))
	}
	if t := s.Terms; t != nil {
		chosen, other := e.Node(s.Candidates[s.Chosen]), e.Node(t.Other)
		var terms []string
		for _, term := range apart(&e.Student.Programs[s.Leader], t) {
			terms = append(terms, fmt.Sprintf("%s %s", term.name, signed(term.value)))
		}
		if len(terms) == 0 {
			lines = append(lines, fmt.Sprintf("%s has no term that tells %s from %s.", leader, chosen, other))
		} else {
			lines = append(lines, fmt.Sprintf("%s rather than %s, by %s %s: %s", chosen, other, leader,
				signed(float64(t.Scores[0])-float64(t.Scores[1])), strings.Join(terms, ", ")))
		}
	}
	switch {
	case s.WithoutLeader < 0:
	case s.WithoutLeader == s.Candidates[s.Chosen]:
		lines = append(lines, fmt.Sprintf("Without %s the student would choose the same.", leader))
	default:
		lines = append(lines, fmt.Sprintf("Without %s the student would choose %s.", leader,
			e.Node(s.WithoutLeader)))
	}
	return lines
}

// votesShown is how many votes for a choice a step has.
const votesShown = 3

// outvoted says who decided a step that the leader by itself would have decided otherwise.
func outvoted(e *explain.Explanation, s *explain.Step) string {
	var votes []string
	against := 0.0
	for _, v := range s.Votes() {
		if v.Program == s.Leader {
			against = v.For
		} else if v.For > 0 && len(votes) < votesShown {
			votes = append(votes, e.Student.Programs[v.Program].Label+" "+signed(v.For))
		}
	}
	leader := e.Student.Programs[s.Leader].Label
	return fmt.Sprintf("%s leads, but would choose %s. The others outvote it for %s: %s, against %s %s.", leader,
		e.Node(s.Firsts[s.Leader]), e.Node(s.Candidates[s.Chosen]), strings.Join(votes, ", "), leader, signed(against))
}

// difference is by how much a term is larger for one candidate than for another.
type difference struct {
	name  string
	value float64
}

// apart returns what tells the two candidates of t from each other in the leader's score, the largest term first. Terms
// that do not are left out, and so is a rest that comes from rounding.
func apart(leader *explain.Program, t *explain.Terms) []difference {
	const rounding = 1e-5
	var all []difference
	var large float64
	for _, w := range t.Weights {
		d := float64(w.Values[0]) - float64(w.Values[1])
		large = max(large, math.Abs(float64(w.Values[0])), math.Abs(float64(w.Values[1])))
		all = append(all, difference{w.Name, d})
	}
	all = append(all, difference{leader.Unweighted, float64(t.Rest[0]) - float64(t.Rest[1])})
	all = slices.DeleteFunc(all, func(d difference) bool { return math.Abs(d.value) <= rounding*large })
	slices.SortStableFunc(all, func(x, y difference) int { return cmp.Compare(math.Abs(y.value), math.Abs(x.value)) })
	return all
}

// whyLeader says why the router trusts the leader more than the next program: its reasons, or groups of them where they
// tell too little, each on a line, first those for it and then those against it, and the sum of all others. All
// together are the logarithm of the ratio of both weights. Where few terms cannot tell it, the first line says so.
func whyLeader(e *explain.Explanation, s *explain.Step) []string {
	why := s.Why()
	if len(why.Shown) == 0 {
		return nil
	}
	leader, second := &e.Student.Programs[s.Leader], &e.Student.Programs[s.Second]
	short := strings.NewReplacer("`"+leader.Name+"`", leader.Label, "`"+second.Name+"`", second.Label)
	var lines, against []string
	mark := ":"
	if !why.Tells() {
		mark = "."
		lines = append(lines, fmt.Sprintf("It cannot be read in a few terms: %d add up to this.", s.ReasonCount))
	}
	for _, term := range why.Shown {
		text := fmt.Sprintf("%s  %s", signed(term.Weight), short.Replace(term.Says))
		if term.Weight > 0 {
			lines = append(lines, text)
		} else {
			against = append(against, text)
		}
	}
	lines = append(lines, against...)
	if math.Abs(why.Others) >= 0.005 { // else it reads 0
		lines = append(lines, signed(why.Others)+"  all other terms")
	}
	head := fmt.Sprintf("%s rather than %s, by the router %s%s ", leader.Label, second.Label, signed(why.Sum), mark)
	for i := range lines {
		lines[i] = head + lines[i]
		head = strings.Repeat(" ", utf8.RuneCountInString(head))
	}
	return lines
}

// signed writes a number with its sign and two decimals.
func signed(v float64) string {
	return strings.ReplaceAll(decimal.Signed(v, 2), "-", "−")
}

// explainedSummary says what all steps have in common, and what the leaders of those that are shown do.
func explainedSummary(w io.Writer, e *explain.Explanation, show func(*explain.Step) bool) {
	sum := e.Summary()
	shown := make([]bool, len(sum.Leaders))
	for i := range e.Steps {
		if s := &e.Steps[i]; s.Decided() && show(s) {
			shown[s.Leader] = true
		}
	}
	fmt.Fprintf(w, "\n%d decisions in %d steps: ", sum.Decisions, len(e.Steps))
	if sum.Decisions == 0 {
		fmt.Fprintln(w, "there was nothing to choose.")
		return
	}
	fmt.Fprintf(w, "%d for the nearest candidate; in %d the leader is ahead by less than %g percentage point, a tie.\n",
		sum.Nearest, sum.Ties, 100*routing.Tie)
	if sum.Outvoted > 0 {
		fmt.Fprintf(w, "In %d the others outvote the leader.\n", sum.Outvoted)
	}
	if len(sum.Leaders) > 1 {
		fmt.Fprintf(w, "In %d the student would choose the same without the leader: others would decide it alike.\n",
			sum.Spared)
	}
	for m, n := range sum.Leaders {
		if n > 0 && !shown[m] && slices.Contains(shown, true) {
			fmt.Fprintln(w, "Of the leaders of all decisions, those of the steps above:")
			break
		}
	}
	for m, n := range sum.Leaders {
		if shown[m] {
			p := e.Student.Programs[m]
			about, _, _ := strings.Cut(p.Description, "\n\n")
			terminal.Wrapped(w, fmt.Sprintf("  %s leads %d, %s: %s", p.Label, n, terminal.Line(p.Name),
				terminal.Line(strings.Join(strings.Fields(about), " "))))
		}
	}
	if e.Teacher != "" {
		asked := "The teacher " + terminal.Line(e.Teacher)
		if e.Along {
			asked = "The student"
		}
		text := fmt.Sprintf("%s, asked in the same states, would choose otherwise in %d of %d decisions", asked,
			len(sum.Parted), sum.Decisions)
		for i, step := range sum.Parted {
			mark := ","
			if i == 0 {
				mark = ": steps"
				if len(sum.Parted) == 1 {
					mark = ": step"
				}
			}
			text += fmt.Sprintf("%s %d", mark, step)
		}
		terminal.Wrapped(w, text+".")
	}
	if e.Student.Router == string(student.Attention) {
		fmt.Fprintln(w, "The router is a network: it says whom it trusts, and not why. A named router does.")
	}
}
