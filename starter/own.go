package main

import (
	"fmt"
	"strconv"

	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/instances"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/terminal"
	"github.com/epb-nco/epb/internal/testset"
)

// ownFiles says how epb explain and epb solve read the user's own files.
type ownFiles struct {
	capacity int32 // of a CSV with demands; 0 gives none
	one      bool  // take only one instance of each file:
	instance int   // this one
	limit    int   // else the first of each file, 0: all,
	nodes    int   // of those of at most so many nodes; 0: refuse what is too large
}

// read reads a file of instances for a student.
func (o ownFiles) read(student string, m distilled.Manifest, path string) (set testset.Set, err error) {
	switch {
	case o.limit < 0:
		return set, fmt.Errorf("--limit %d: want a number of instances, or 0 for all", o.limit)
	case o.nodes < 0:
		return set, fmt.Errorf("--max-nodes %d: want a number of nodes, or 0", o.nodes)
	}
	all, err := instances.Read(path, o.capacity)
	if err != nil {
		return set, err
	}
	taken := all
	if o.one {
		if o.instance < 0 || o.instance >= len(all) {
			return set, fmt.Errorf("--instance %d: %s holds %d, numbered from 0", o.instance, path, len(all))
		}
		taken = all[o.instance : o.instance+1]
	}
	of := testset.Solver{Name: "the student " + student, Problem: m.Problem}
	if set, err = testset.New(of, path, taken, o.limit, o.nodes); err != nil {
		return set, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

// startNode reads the number of the node to begin at, as an instance's file has it.
func startNode(number string, file *instances.File) (int, error) {
	least := problems.Must(file.Instance.Problem).Traits().Depots()
	n, err := strconv.Atoi(number)
	if node := n - file.First; err == nil && node >= least && node < file.Instance.N() {
		return node, nil
	}
	return 0, fmt.Errorf("%.20s: the solution of %s can begin at nodes %d to %d", number,
		terminal.Line(file.Instance.Name), least+file.First, file.Instance.N()-1+file.First)
}
