// Package doctor reports what a distillation needs and lacks on this machine, and the commands that fix it. It checks
// tools, limits, and the servers that the environment or the dev stack names.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/tensorops"
)

// Finding is what doctor says about one thing.
type Finding struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`         // what is there, or what is wrong
	Mend   string `json:"mend,omitempty"` // the command that mends it
}

// check examines one thing. An error is a problem; mend is the command that fixes it.
type check struct {
	name string
	look func(ctx context.Context, dir string) (detail string, err error)
	mend string
}

// mended is an error with a fix of its own, which replaces that of its check.
type mended struct {
	error
	mend string
}

const installGo = "install Go 1.26 or newer from https://go.dev/dl"

func checks() []check {
	return []check{
		{"go", lookGo, installGo},
		{"cgo", lookCgo, "make packages"},
		{"kernels", lookKernels, "unset " + tensorops.CoreVariable},
		{"tinygo", lookTinyGo, "make tools"},
		{"worker", lookWorker, "make build"},
		{"memory", lookAddressSpace, "ulimit -v unlimited"},
		{"disk", lookDisk, "free some disk space, or name a folder on another disk by EPB_DEV_DIR or --dir"},
		{"temporal", lookTemporal, "epb dev up temporal"},
		{"store", lookStore, "epb dev up minio"},
		{"llm", lookLLM, "epb dev up llm"},
		{"polling", lookPolling, "epb dev up worker"},
	}
}

// AskDoctor tells where to find out what mends a server that cannot be reached.
func AskDoctor(err error) error { return fmt.Errorf("%w (what mends it: epb doctor)", err) }

// Examine looks at everything, with the dev stack of a folder where the environment names no servers. It changes
// nothing.
func Examine(ctx context.Context, dir string) []Finding {
	var findings []Finding
	for _, c := range checks() {
		limited, cancel := context.WithTimeout(ctx, 15*time.Second)
		detail, err := c.look(limited, dir)
		cancel()
		f := Finding{Name: c.name, OK: err == nil, Detail: detail}
		if err != nil {
			f.Detail, f.Mend = err.Error(), c.mend
			var m mended
			if errors.As(err, &m) {
				f.Mend = m.mend
			}
			f.Detail, f.Mend = withDir(f.Detail, dir), withDir(f.Mend, dir)
		}
		findings = append(findings, f)
	}
	return findings
}

// withDir adds --dir to the commands in a text that start services, unless they mean the folder without it.
func withDir(text, dir string) string {
	if dir == devstack.DefaultDir() {
		return text
	}
	if strings.ContainsAny(dir, " \t'\"$&;|*?()<>\\") {
		dir = "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'" // for a shell
	}
	return strings.ReplaceAll(text, "epb dev up", "epb dev up --dir "+dir)
}
