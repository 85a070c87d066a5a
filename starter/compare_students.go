package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/certify"
	"github.com/epb-nco/epb/internal/compare"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/contrast"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/evaluate"
	"github.com/epb-nco/epb/internal/input"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/startrule"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/version"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/sdk"
)

// comparison is what epb compare has read and built. Close its programs after use.
type comparison struct {
	flags  compareFlags
	screen *terminal.Screen
	tools  *compile.Toolchain

	named    reportedRuns
	problem  routing.Definition
	nodes    int
	students []comparedStudent
	teachers []comparedTeacher
	built    []*evaluate.Programs // to be closed
}

type comparedStudent struct {
	name     string
	data     report.Data
	reported bool // data is that of a report
	files    distilled.Files
	student  *evaluate.Student
}

// comparedTeacher is what students are measured against. A student may stand there.
type comparedTeacher struct {
	name   string
	via    func(joint bool) routing.Policy // the policy, deciding by way of the depot or not
	starts bool                            // it chooses its first node itself
}

// sideBySide measures runs, students and teachers in common states.
func sideBySide(ctx context.Context, args []string, f compareFlags, stderr io.Writer) (compare.Page, error) {
	c := comparison{flags: f, screen: terminal.NewScreen(stderr), named: reportedRuns{}}
	defer c.screen.Clear()
	defer func() {
		for _, p := range c.built {
			p.Close()
		}
	}()
	var page compare.Page
	var err error
	if c.tools, err = compile.Find(); err != nil {
		return page, err
	}
	if err := c.open(ctx, args); err != nil {
		return page, err
	}
	for i := range c.students {
		if err := c.measure(ctx, i); err != nil {
			return page, fmt.Errorf("%s: %w", c.students[i].name, err)
		}
		page.Runs = append(page.Runs, c.students[i].data)
	}
	if page.Line, page.Apart, err = c.lineUp(ctx); err != nil {
		return page, err
	}
	page.Contrast, err = c.contrast(ctx)
	return page, err
}

// open reads students and teachers, and compiles the students once everything is in order.
func (c *comparison) open(ctx context.Context, args []string) error {
	for _, name := range args {
		s, err := c.readStudent(ctx, name)
		if err != nil {
			return err
		}
		c.students = append(c.students, s)
	}
	for _, name := range c.flags.teachers {
		t, problem, err := c.readTeacher(ctx, name)
		if err != nil {
			return err
		}
		if c.problem == nil {
			c.problem = problems.Must(problem)
		} else if problem != c.problem.Name() {
			return fmt.Errorf("--teachers %s solves %s, and the first one solves %s", name, problem, c.problem.Name())
		}
		if slices.ContainsFunc(c.teachers, func(other comparedTeacher) bool { return other.name == t.name }) {
			t.name += " of " + name
		}
		c.teachers = append(c.teachers, t)
	}
	if c.problem == nil {
		c.problem = problems.Must(c.students[0].files.Bank.Problem)
	}
	if c.nodes = c.flags.nodes; c.nodes == 0 {
		if c.nodes = 20; len(c.students) > 0 && c.students[0].files.Manifest.Nodes > 0 {
			c.nodes = c.students[0].files.Manifest.Nodes
		}
	}
	if err := checkNodes(c.problem, c.nodes); err != nil {
		return err
	}
	if err := checkProducts(c.problem.Name(), sdk.ClassLocal, c.flags.products); err != nil {
		return err
	}
	for i := range c.students {
		s := &c.students[i]
		var err error
		if s.student, err = c.build(ctx, s.name, s.files); err != nil {
			return err
		}
	}
	return nil
}

// readStudent reads a student with its report, if it has one.
func (c *comparison) readStudent(ctx context.Context, name string) (comparedStudent, error) {
	s := comparedStudent{name: name, reported: true}
	var err error
	if s.files, err = locate.Of(name).Student(ctx); err != nil {
		return s, fmt.Errorf("%s: %w", name, err)
	}
	if len(c.students) > 0 {
		first := c.students[0]
		if got, want := s.files.Bank.Problem, first.files.Bank.Problem; got != want {
			return s, fmt.Errorf("%s solves %s, and %s solves %s: compare students of one problem", name, got,
				first.name, want)
		}
	}
	s.data, err = locate.Of(name).Report(ctx)
	if errors.Is(err, locate.ErrNoReport) {
		s.data, s.reported, err = compare.OfStudent(s.files), false, nil
	} else if err == nil {
		err = c.named.add(s.data, name)
	}
	if err != nil {
		return s, err
	}
	for _, short := range []string{s.data.Run.ID, filepath.Base(filepath.Clean(name))} {
		if short != "" && !c.has(short) {
			s.name = short
			break
		}
	}
	s.data.Run.ID = s.name
	return s, nil
}

// has says whether a student of that name was read.
func (c *comparison) has(name string) bool {
	return slices.ContainsFunc(c.students, func(s comparedStudent) bool { return s.name == name })
}

// build compiles a student's programs.
func (c *comparison) build(ctx context.Context, name string, files distilled.Files) (*evaluate.Student, error) {
	s, err := files.Build(ctx, c.tools, func(program string) { c.screen.Status("%s: compiling %s", name, program) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	c.built = append(c.built, s.Programs)
	return s, nil
}

// readTeacher reads what --teachers names: a checkpoint, or a student in its place.
func (c *comparison) readTeacher(ctx context.Context, name string) (
	t comparedTeacher, problem routing.Problem, err error,
) {
	if of := locate.Of(name); of.IsStudent() || of.IsRun() {
		files, err := of.Student(ctx)
		if err != nil {
			return t, "", fmt.Errorf("--teachers %s: %w", name, err)
		}
		s, err := c.build(ctx, name, files)
		if err != nil {
			return t, "", err
		}
		decides := problems.Must(files.Bank.Problem).Traits().Depot || s.Start != startrule.None
		t = comparedTeacher{name: "student " + filepath.Base(filepath.Clean(of.ID())), starts: decides}
		t.via = func(bool) routing.Policy { return contrast.AsPolicy(s) }
		return t, files.Bank.Problem, nil
	}
	loaded, err := input.LoadTeacher(name)
	if err != nil {
		return t, "", err
	}
	t = comparedTeacher{name: loaded.Name(), starts: loaded.Info().OwnStart}
	t.via = func(joint bool) routing.Policy { return loaded.ViaDepot(joint) }
	return t, loaded.Info().Problem, nil
}

// teacherOf returns the teacher of a student, nil where none was named.
func (c *comparison) teacherOf(i int) *comparedTeacher {
	switch {
	case len(c.teachers) == 0:
		return nil
	case len(c.teachers) == len(c.students):
		return &c.teachers[i]
	}
	return &c.teachers[0]
}

// fresh returns instances of a stream.
func (c *comparison) fresh(count int, stream config.Stream) []routing.Instance {
	return c.problem.Generate(c.nodes, count, stream.Seed(c.flags.seed, 0))
}

// measure compares a student without a report with the teacher of --teachers.
func (c *comparison) measure(ctx context.Context, i int) error {
	s, t := &c.students[i], c.teacherOf(i)
	if t != nil && s.files.Bank.Problem != c.problem.Name() {
		return fmt.Errorf("it solves %s, and --teachers names what solves %s", s.files.Bank.Problem, c.problem.Name())
	}
	if s.reported || t == nil {
		return nil
	}
	c.screen.Status("measuring %s", s.name)
	policy := t.via(s.files.Bank.ViaDepot())
	if policy.Name() != s.files.Manifest.Teacher {
		s.data.Teacher.Asked = t.name
	}
	return compare.MeasureStudent(ctx, &s.data, s.student, policy,
		c.fresh(c.flags.instances, config.CompareStream), c.flags.seed)
}

// lineUp has the students of the first one's setting decide in common states. apart names the others.
func (c *comparison) lineUp(ctx context.Context) (line *contrast.Lineup, apart []string, err error) {
	var all []contrast.Entrant
	for i := range c.students {
		s := &c.students[i]
		if s.files.Bank.Setting != c.students[0].files.Bank.Setting {
			apart = append(apart, s.name)
			continue
		}
		e := contrast.Entrant{Name: s.name, Student: s.student, Programs: s.files.Bank.Names()}
		if t := c.teacherOf(i); t != nil {
			e.Teacher, e.TeacherName = t.via(s.files.Bank.ViaDepot()), t.name
		}
		all = append(all, e)
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	line, err = contrast.LineUp(ctx, all, c.fresh(c.flags.instances, config.CompareStream), c.flags.seed,
		func(what string) { c.screen.Status("%s", what) })
	return line, apart, err
}

// contrast routes one bank for two teachers, if two were named.
func (c *comparison) contrast(ctx context.Context) (*contrast.Contrast, error) {
	if len(c.teachers) != 2 {
		return nil, nil
	}
	b, what, err := c.shared(ctx)
	if err != nil {
		return nil, err
	}
	if b.Problem != c.problem.Name() {
		return nil, fmt.Errorf("--bank is for %s, and --teachers names what solves %s", b.Problem, c.problem.Name())
	}
	programs, err := evaluate.BuildPrograms(ctx, c.tools, b, compiling(c.screen))
	if err != nil {
		return nil, err
	}
	defer programs.Close()
	in := contrast.Input{
		Bank: programs, Train: c.fresh(c.flags.train, config.CompareTrainStream),
		Again: c.fresh(c.flags.train, config.CompareAgainStream),
		Test:  c.fresh(c.flags.instances, config.CompareStream), Fit: c.flags.fit(),
		Starts: contrast.EachOwn, Doing: func(what string) { c.screen.Status("%s", what) },
	}
	for i := range c.teachers { // if only one of them has a start of its own, both begin there
		if c.teachers[i].starts && !c.teachers[1-i].starts {
			in.Starts = i
		}
	}
	for i, t := range c.teachers {
		in.Policies[i], in.Names[i] = t.via(false), t.name
	}
	out, err := contrast.Compute(ctx, in)
	if err != nil {
		return nil, err
	}
	out.Bank, out.Machine, out.Kernels = what, version.Machine(), tensorops.CurrentIdentity().String()
	return out, nil
}

// shared returns the bank that is routed for two teachers, and what it is in words.
func (c *comparison) shared(ctx context.Context) (*bank.Bank, string, error) {
	if c.flags.bank != "" {
		b, err := locate.Of(c.flags.bank).Bank(ctx)
		if err != nil {
			return nil, "", fmt.Errorf("--bank: %w", err)
		}
		return b, fmt.Sprintf("the %d programs of %s", len(b.Heuristics), c.flags.bank), nil
	}
	banks := make([]*bank.Bank, len(c.students))
	var names []string
	for i, s := range c.students {
		banks[i] = s.files.Bank
		names = append(names, s.name)
	}
	b, err := bank.Union(banks...)
	if err != nil {
		return nil, "", fmt.Errorf("the students' banks: %w", err)
	}
	return b, fmt.Sprintf("the %d programs of %s", len(b.Heuristics), certify.Enumerate(names)), nil
}
