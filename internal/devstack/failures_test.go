package devstack_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/devstack"
)

// TestUpFailures has minio replaced by a script, so that each way to fail is quick.
func TestUpFailures(t *testing.T) {
	for _, test := range []struct {
		name, script string
		timeout      time.Duration
		occupied     bool
		want         []string // parts of the error
	}{
		{
			name: "ends at once", script: "echo the disk is on fire; exit 1",
			want: []string{"start minio", "ended right after its start", "minio.log", "the disk is on fire"},
		},
		{name: "never healthy", script: "echo thinking; exec sleep 600", timeout: 3 * time.Second,
			want: []string{"start minio", "thinking"}},
		{name: "port taken", occupied: true, script: "exit 0", want: []string{"another program listens on",
			"epb dev up --s3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			pidFile := filepath.Join(t.TempDir(), "pid")
			fake(t, "minio", "echo $$ >"+pidFile+"\n"+test.script)
			o := devstack.Options{Services: []string{devstack.MinIO}, Isolated: true}
			if test.occupied {
				o.S3 = listen(t, false)
			}
			ctx := t.Context()
			if test.timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, test.timeout)
				defer cancel()
			}
			_, err := devstack.Up(ctx, dir, o)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error lacks %q: %v", part, err)
				}
			}
			if text, err := os.ReadFile(pidFile); err == nil {
				pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
				if err != nil {
					t.Fatal(err)
				}
				gone(t, pid)
			}
		})
	}
}

func TestUpRefusesUnknownService(t *testing.T) {
	_, err := devstack.Up(t.Context(), t.TempDir(), devstack.Options{Services: []string{"postgres"}})
	if err == nil || !strings.Contains(err.Error(), "postgres") || !strings.Contains(err.Error(), devstack.MinIO) {
		t.Errorf("error %v does not list the services", err)
	}
}

func TestUpRefusesBadAddress(t *testing.T) {
	bad := devstack.Options{Services: []string{devstack.MinIO}, Addresses: devstack.Addresses{S3: "9000"}}
	for _, dir := range []string{t.TempDir(), stackJSON(t, nil)} {
		if _, err := devstack.Up(t.Context(), dir, bad); err == nil || !strings.Contains(err.Error(), "--s3") {
			t.Errorf("error %v does not name --s3", err)
		}
	}
}

// TestUpKeepsTheAddressesThatWorked: a server that does not start where it was moved to is not looked for there
// afterwards.
func TestUpKeepsTheAddressesThatWorked(t *testing.T) {
	dir := stackJSON(t, nil)
	fake(t, "minio", "exit 1")
	moved := devstack.Options{Services: []string{devstack.MinIO}, Isolated: true,
		Addresses: devstack.Addresses{S3: listen(t, true), S3Console: listen(t, true)}}
	if _, err := devstack.Up(t.Context(), dir, moved); err == nil {
		t.Fatal("no error")
	}
	s, err := devstack.Load(dir)
	if err != nil || s.S3 != "127.0.0.1:9000" {
		t.Errorf("MinIO at %s (%v)", s.S3, err)
	}
}

// Nor does a new stack keep an address of what is not started.
func TestUpRefusesTheAddressOfAnotherService(t *testing.T) {
	dir := t.TempDir()
	_, err := devstack.Up(t.Context(), dir, devstack.Options{Services: []string{devstack.MinIO}, Isolated: true,
		Addresses: devstack.Addresses{Temporal: "127.0.0.1:1"}})
	if err == nil || !strings.Contains(err.Error(), "--temporal 127.0.0.1:1: temporal is not among") {
		t.Errorf("error %v", err)
	}
	if _, err := devstack.Load(dir); !errors.Is(err, devstack.ErrNoStack) {
		t.Errorf("there is a stack: %v", err)
	}
}

func TestToolMissing(t *testing.T) {
	t.Setenv("EPB_MINIO", "/nowhere/minio")
	_, err := devstack.Up(t.Context(), t.TempDir(), devstack.Options{Services: []string{devstack.MinIO},
		Isolated: true})
	if err == nil || !strings.Contains(err.Error(), "EPB_MINIO") {
		t.Errorf("error %v does not name EPB_MINIO", err)
	}
}

// fake makes a shell script take a tool's place.
func fake(t *testing.T, tool, script string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), tool)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("EPB_"+strings.ToUpper(tool), path)
}
