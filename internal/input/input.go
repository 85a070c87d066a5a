package input

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/teacher"
	"github.com/epb-nco/epb/teachers"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/wasm-heuristics/heuristic"
	"github.com/epb-nco/epb/wasm-heuristics/runtime"
)

// Checked is what a distillation starts from.
type Checked struct {
	Teacher     teacher.Teacher
	TeacherArgs *teacher.Args  // what the args.json beside the checkpoint says; nil without one
	Rollouts    *rollout.Shard // the teacher's rollouts if it has no checkpoint; else nil
	TeacherFile string         // the file's name, which distinguishes it from others
	Checkpoint  []byte         // the file: a checkpoint, or rollouts
	Bank        *bank.Bank
}

// Fetch reads an object that a config names as store:NAME@ADDRESS.
type Fetch func(ctx context.Context, address string) ([]byte, error)

// Builtin begins the name of what ships with EPB.
const Builtin = "builtin:"

const stored = "store:"

// RunBank begins the name of a finished run's bank. epb start replaces such a name by that of the bank's object (see
// Stored), since a later run may have the same name.
const RunBank = "run:"

// HasNoProgram reports whether a config's bank is one that a run begins without a program. Its name never means a
// folder.
func HasNoProgram(bank string) bool { return bank == config.EmptyBank || bank == config.SketchBank }

// Stored returns the name under which a config refers to an object in the store by its address. The part name is for
// readers only.
func Stored(name, address string) string { return stored + name + "@" + address }

// Trouble is an error of the environment of Check (the store, the toolchain, its context), not of the input. A second
// Check of the same input may pass.
type Trouble struct{ Err error }

func (t *Trouble) Error() string { return t.Err.Error() }

func (t *Trouble) Unwrap() error { return t.Err }

// Check loads the teacher and the bank that a config names, and puts every program of the bank through the gate: check,
// compile, load, smoke test. The error is the first reason why the config cannot be run, or a *Trouble.
func Check(ctx context.Context, cfg config.Distill, tools *compile.Toolchain, fetch Fetch) (*Checked, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	c := &Checked{}
	name, file, err := read(ctx, cfg.Teacher, fetch)
	if err != nil {
		return nil, fmt.Errorf("teacher %s: %w", cfg.Teacher, err)
	}
	c.TeacherFile, c.Checkpoint = name, file.Data
	if err := c.readTeacher(cfg, file); err != nil {
		return nil, err
	}
	if HasNoProgram(cfg.Bank) {
		view, err := c.view()
		if err != nil {
			return nil, fmt.Errorf("teacher %s: %w", cfg.Teacher, err)
		}
		c.Bank = &bank.Bank{Setting: bank.Setting{Problem: cfg.Problem, View: view}}
	} else if c.Bank, err = readBank(ctx, cfg.Bank, fetch); err != nil {
		return nil, err
	}
	if err := cfg.CheckState(len(c.Bank.Heuristics)); err != nil {
		return nil, fmt.Errorf("bank %s: %w", cfg.Bank, err)
	}
	if c.Bank.Problem != cfg.Problem {
		return nil, fmt.Errorf("bank %s is for %s, the config's problem is %s", cfg.Bank, c.Bank.Problem, cfg.Problem)
	}
	if err := c.checkView(cfg); err != nil {
		return nil, err
	}
	of := student.Configured(cfg.Student, c.Bank.Problem, c.Bank.View, max(1, c.Programs(cfg)))
	if err := of.Validate(); err != nil {
		return nil, fmt.Errorf("for teacher %s: %w", cfg.Teacher, err)
	}
	if err := c.Bank.Allowed(cfg.BankAllow); err != nil {
		return nil, fmt.Errorf("bank %s: %w", cfg.Bank, err)
	}
	modules, err := runtime.AdmitAll(ctx, tools, c.Bank.Programs(), nil)
	if err != nil {
		if _, ok := errors.AsType[*heuristic.Error](err); !ok {
			err = &Trouble{err}
		}
		return nil, fmt.Errorf("bank %s: %w", cfg.Bank, err)
	}
	runtime.CloseAll(modules)
	return c, nil
}

// builtinTeacher returns the checkpoint of a teacher that ships with EPB, by its name in configs, and the name of its
// file.
func builtinTeacher(name string) (file string, checkpoint []byte, err error) {
	switch name {
	case config.BuiltinTeacher:
	case config.LocalSearchTeacher:
		return "", nil, fmt.Errorf("%s has no checkpoint that a run could keep: record its decisions by "+
			"epb rollout --teacher %[1]s, and give the shard as the teacher", name)
	default:
		return "", nil, fmt.Errorf("no such built-in teacher: there are %s and %s, any other is a path",
			config.BuiltinTeacher, config.LocalSearchTeacher)
	}
	return "pomo_tsp20.pt", teachers.POMOTSP20, nil
}

// LoadTeacher loads the checkpoint at path, or a built-in teacher by its name. The error names either.
func LoadTeacher(path string) (teacher.Teacher, error) {
	if path == config.LocalSearchTeacher {
		return teacher.NewLocalSearch(), nil
	}
	if !strings.HasPrefix(path, Builtin) {
		return teacher.Load(path)
	}
	var t teacher.Teacher
	file, checkpoint, err := builtinTeacher(path)
	if err == nil {
		t, err = teacher.Parse(file, checkpoint)
	}
	if err != nil {
		return t, fmt.Errorf("teacher %s: %w", path, err)
	}
	return t, nil
}

// read returns a teacher's file and a name for it.
func read(ctx context.Context, name string, fetch Fetch) (string, teacher.File, error) {
	switch {
	case strings.HasPrefix(name, Builtin):
		file, checkpoint, err := builtinTeacher(name)
		return file, teacher.File{Data: checkpoint}, err
	case strings.HasPrefix(name, stored):
		// epb start compared the checkpoint with its args.json before it stored it.
		label, data, err := fromStore(ctx, name, fetch)
		return label, teacher.File{Data: data}, err
	}
	file, err := teacher.Open(name)
	return file.Label(), file, err
}

func fromStore(ctx context.Context, name string, fetch Fetch) (string, []byte, error) {
	at := strings.LastIndex(name, "@") // the label may hold others
	if at < len(stored) || fetch == nil {
		return "", nil, errors.New("an object of the store can only be named by epb start")
	}
	label, address := name[len(stored):at], name[at+1:]
	data, err := fetch(ctx, address)
	if err != nil {
		err = &Trouble{err}
	}
	return label, data, err
}

func readBank(ctx context.Context, name string, fetch Fetch) (*bank.Bank, error) {
	switch {
	case strings.HasPrefix(name, Builtin):
		b, err := bank.Builtin(strings.TrimPrefix(name, Builtin))
		if err != nil {
			return nil, fmt.Errorf("bank %s: %w", name, err)
		}
		return b, nil
	case strings.HasPrefix(name, RunBank):
		return nil, fmt.Errorf("bank %s: a run's bank can only be named by epb start, which looks it up", name)
	case strings.HasPrefix(name, stored):
		b := &bank.Bank{}
		_, data, err := fromStore(ctx, name, fetch)
		if err == nil {
			err = json.Unmarshal(data, b)
		}
		if err != nil {
			return nil, fmt.Errorf("bank %s: %w", name, err)
		}
		return b, nil
	}
	return bank.Load(name)
}
