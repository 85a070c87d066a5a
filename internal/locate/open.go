package locate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/epb-nco/epb/internal/bank"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/regular"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/student"
)

// Bank opens the bank that a name stands for: one that ships with EPB, a folder's, or that of a finished run. The
// error says where it was sought.
func (n Name) Bank(ctx context.Context) (*bank.Bank, error) {
	if n.form == builtin {
		return bank.Builtin(n.rest)
	}
	if dir, ok := n.BankFolder(); ok {
		return bank.Load(dir)
	}
	r, err := n.Result(ctx)
	if err != nil {
		return nil, n.inVain("folder "+n.text, err)
	}
	return r.Bank(ctx)
}

// Mixture is Bank with the router that mixes the programs. Only the folder of a student has one; else it is nil.
func (n Name) Mixture(ctx context.Context) (*bank.Bank, *student.Model, error) {
	if !n.IsStudent() {
		b, err := n.Bank(ctx)
		return b, nil, err
	}
	s, err := distilled.Read(n.rest)
	return s.Bank, s.Model, err
}

// BankFolder returns the folder of the bank that a name stands for, if it lies in one. The folder of a student means
// its bank, and so does that of an exported student.
func (n Name) BankFolder() (dir string, ok bool) {
	if !n.isPath() {
		return "", false
	}
	if isThere(filepath.Join(n.rest, "bank.json")) {
		return n.rest, true
	}
	for _, of := range []string{n.rest, filepath.Join(n.rest, distilled.Folder)} {
		if inner := filepath.Join(of, "bank"); isThere(inner) {
			return inner, true
		}
	}
	return n.rest, true
}

// Student opens the student that a name stands for: an exported one's folder, or that of a finished run. The error
// names the file that is missing or wrong, or says where the student was sought.
func (n Name) Student(ctx context.Context) (distilled.Files, error) {
	switch {
	case n.form == builtin:
		return distilled.Files{}, errors.New("that is no student: epb sketch and epb report write folders of " +
			"students")
	case n.isPath():
		return distilled.Read(n.rest)
	}
	r, err := n.Result(ctx)
	if err != nil {
		return distilled.Files{}, n.inVain("such folder of a student (epb sketch and epb report write them)", err)
	}
	return r.Student(ctx)
}

// ErrNoReport says that a folder has no report, as that of epb sketch.
var ErrNoReport = errors.New("no report of a run (report.json): epb report writes one")

// Report opens the data of the report that a name stands for: that in a folder of epb report, or of a finished run. The
// error is ErrNoReport where a folder has none; else it says what is wrong with the report, or where it was sought.
func (n Name) Report(ctx context.Context) (report.Data, error) {
	if n.isPath() {
		return reportIn(n.rest)
	}
	r, err := n.Result(ctx)
	if err != nil {
		return report.Data{}, n.inVain("folder "+n.text, err)
	}
	return r.ReportData(ctx)
}

// reportIn reads the data of the report in a folder.
func reportIn(dir string) (report.Data, error) {
	file, err := os.Open(filepath.Join(dir, "report.json"))
	if os.IsNotExist(err) {
		return report.Data{}, fmt.Errorf("%s has %w", dir, ErrNoReport)
	}
	if err != nil {
		return report.Data{}, err
	}
	defer file.Close()
	d, err := report.Read(file)
	if err != nil {
		return d, fmt.Errorf("%s: %w", dir, err)
	}
	return d, nil
}

// States reads the recorded states that a name stands for, shards as they are stored: that of a file of epb rollout, of
// a pipe or of standard input (-), or the validation shards of a finished run. The error says what cannot be read, or
// where it was sought.
func (n Name) States(ctx context.Context) ([][]byte, error) {
	if n.isPath() || n.text == regular.Stdin {
		data, err := regular.ReadInput(n.rest)
		return [][]byte{data}, err
	}
	r, err := n.Result(ctx)
	if err != nil {
		return nil, n.inVain("file "+n.text, err)
	}
	return r.ValidationShards(ctx)
}
