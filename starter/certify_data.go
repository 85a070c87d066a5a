package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/epb-nco/epb/internal/bootstrap"
	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/distilled"
	"github.com/epb-nco/epb/internal/locate"
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/report"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/teacher"
)

// What --data of epb certify names, unless it names a file.
const (
	freshData = "fresh"
	testData  = "test"
)

// sample returns the instances to certify a student on, all of one size, and what they are, in words that follow their
// number.
func (f certifyFlags) sample(
	ctx context.Context, student string, m distilled.Manifest, t teacher.Teacher,
) (insts []routing.Instance, words string, err error) {
	switch f.data {
	case freshData:
		insts, err = f.fresh(cmp.Or(f.nodes, m.Nodes), t)
		words = "fresh instances"
	case testData:
		insts, err = f.testSet(ctx, student)
		words = "instances of the run’s test set"
	default:
		insts, err = f.file(t)
		words = "instances of " + filepath.Base(f.data)
	}
	if err == nil && len(insts) < bootstrap.FewestInstances {
		err = fmt.Errorf("--data %s: %d instances, want at least %d", f.data, len(insts), bootstrap.FewestInstances)
	}
	return insts, words, err
}

// fresh draws instances that nobody has seen.
func (f certifyFlags) fresh(nodes int, t teacher.Teacher) ([]routing.Instance, error) {
	p := problems.Must(t.Info().Problem)
	if err := checkNodes(p, nodes); err != nil {
		return nil, err
	}
	return p.Generate(nodes, f.instances, config.CertifyStream.Seed(f.seed, 0)), nil
}

// testSet draws the instances that a run was tested on once more.
func (f certifyFlags) testSet(ctx context.Context, run string) ([]routing.Instance, error) {
	d, err := locate.Of(run).Report(ctx)
	if err != nil {
		return nil, fmt.Errorf("--data %s: %w", f.data, err)
	}
	if d.Teacher.Arch == report.ByRollouts {
		return nil, fmt.Errorf("--data %s: the teacher of %s is known by its rollouts, and its test set is some of "+
			"them. The run's own certificate is of these: epb certify %s, without --teacher", f.data, run, run)
	}
	all, err := d.Config.TestInstances()
	if err != nil {
		return nil, fmt.Errorf("--data %s: %w", f.data, err)
	}
	return all[:min(f.instances, len(all))], nil
}

// file reads a file of instances.
func (f certifyFlags) file(t teacher.Teacher) ([]routing.Instance, error) {
	set, err := readSet(t, f.data, f.capacity, f.instances, 0)
	if err != nil {
		return nil, err
	}
	if !set.OneSize() {
		return nil, fmt.Errorf("--data %s: its instances differ in size: certify them one size at a time", f.data)
	}
	return set.Instances, nil
}
