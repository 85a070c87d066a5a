package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/export"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

func exportCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Take a student away: a solver that needs nothing of EPB",
	}
	cmd.AddCommand(exportStudentCommand(), exportTableCommand())
	return cmd
}

// exportFlags are the flags of epb export student.
type exportFlags struct {
	out, program string
	json         bool
}

func exportStudentCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "student STUDENT --out FOLDER",
		Short: "Write a solver: a static program, a WebAssembly module, and interfaces for C, JavaScript and Go",
		Long: `Make of a student (a run, or a folder of an exported student) a solver that needs neither EPB nor Go, a
server, a shared library or a language model. The folder gets a program, the module solver.wasm with the programs,
the router and the start rule in it, solver.js, solver.go and solver.h, a page that solves what is drawn on it, and a
README. Every way takes the student's very steps: before anything is written, solutions of random instances by the
student, the module and the program are compared.

The student's router must be named (student: {router: named}; epb sketch makes no other). A network cannot be exported.

The program is for this machine. For another one, build it from this repository and name it with --program:

  GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go build -ldflags "-s -w" -o solver-mac ./starter/solver`,
		Example: `  epb export student demo-1 --out solver
  epb export student sketches/am50 --out solver --program solver-mac
  solver/solver berlin52.tsp`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "new `folder` for the solver")
	cmd.Flags().StringVar(&f.program, "program", "", "program of another machine, built from starter/solver")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	require(cmd, "out")
	return cmd
}

// exported is what epb export student prints.
type exported struct {
	Folder  string    `json:"folder"`
	Program int       `json:"program_bytes"`
	Wasm    int       `json:"wasm_bytes"`
	Checked int       `json:"solutions_compared"`
	Ran     bool      `json:"program_compared"` // false for a program of another machine
	Nodes   []int     `json:"nodes"`            // of the instances that were compared
	Times   []float64 `json:"milliseconds"`     // of the program, for each of them
}

// run runs epb export student.
func (f exportFlags) run(ctx context.Context, name string, stdout, stderr io.Writer) error {
	files, program, err := f.read(ctx, name)
	if err != nil {
		return err
	}
	screen := terminal.NewScreen(stderr)
	defer screen.Clear()
	wasm, sample, want, err := solverOf(ctx, name, files, screen)
	if err != nil {
		return err
	}
	folder := export.Folder{Student: files, Wasm: wasm, Program: program, Checked: len(sample)}
	out, err := f.write(ctx, folder, sample, want)
	if err != nil {
		return err
	}
	screen.Clear()
	if f.json {
		return printJSON(stdout, out)
	}
	return printText(stdout, out.print)
}

// read returns a student and the program for its solver. It refuses what can be refused before long work.
func (f exportFlags) read(ctx context.Context, name string) (files distilled.Files, program []byte, err error) {
	if files, err = locate.Of(name).Student(ctx); err != nil {
		return files, nil, fmt.Errorf("student %s: %w", name, err)
	}
	if _, err := export.Solver(files); err != nil {
		return files, nil, fmt.Errorf("student %s cannot be exported: %w", name, err)
	}
	if err := checkNew("--out", f.out); err != nil {
		return files, nil, err
	}
	path := f.program
	if path == "" {
		if path, err = devstack.Program("epb-solver"); err != nil {
			return files, nil, err
		}
	}
	if program, err = os.ReadFile(path); err != nil {
		return files, nil, err
	}
	// The program is not run where it is of another machine, so that its build has to tell what it is.
	const solver = "github.com/epb-nco/epb/starter/solver"
	if built, err := buildinfo.Read(bytes.NewReader(program)); err != nil || built.Path != solver {
		return files, nil, fmt.Errorf("%s is no program that go build ./starter/solver makes", path)
	}
	return files, program, nil
}

// solverOf compiles a student to a module. It returns instances with the student's solutions, which are the module's.
func solverOf(ctx context.Context, name string, files distilled.Files, screen *terminal.Screen) (
	wasm []byte, sample []routing.Instance, want [][]int32, err error,
) {
	s, err := buildStudent(ctx, name, files, screen)
	if err != nil {
		return nil, nil, nil, err
	}
	defer s.Programs.Close()
	tools, err := compile.Find()
	if err != nil {
		return nil, nil, nil, err
	}
	screen.Status("compiling the solver")
	if wasm, err = export.Wasm(ctx, tools, files); err != nil {
		return nil, nil, nil, err
	}
	sample = export.Sample(files, 1)
	screen.Status("comparing %d solutions", len(sample))
	want, err = export.Solutions(ctx, s, wasm, sample)
	return wasm, sample, want, err
}

// write writes the folder, and says what is in it.
func (f exportFlags) write(ctx context.Context, folder export.Folder, sample []routing.Instance, want [][]int32) (
	out exported, err error,
) {
	out = exported{
		Folder: f.out, Program: folder.ProgramBytes(), Wasm: len(folder.Wasm), Checked: folder.Checked,
	}
	for i := range sample {
		out.Nodes = append(out.Nodes, sample[i].N())
	}
	out.Times, err = folder.Install(ctx, f.out, sample, want, f.program != "")
	out.Ran = out.Times != nil
	return out, err
}

func (e exported) print(w io.Writer) {
	fmt.Fprintf(w, "%s: a program of %.1f MB, solver.wasm of %.0f kB, and their README\n", e.Folder,
		float64(e.Program)/1e6, float64(e.Wasm)/1e3)
	if !e.Ran {
		fmt.Fprintf(w, "%d solutions by the module are the student's. The program is of another machine and did not "+
			"run.\n", e.Checked)
		return
	}
	fmt.Fprintf(w, "%d solutions by the module and by the program are the student's; %.1f ms for %d nodes\n", e.Checked,
		e.Times[len(e.Times)-1], e.Nodes[len(e.Nodes)-1])
}
