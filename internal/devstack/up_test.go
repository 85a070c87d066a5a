package devstack_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/devstack/devstacktest"
	"github.com/epb-nco/epb/internal/store"
)

var servers = []string{devstack.Temporal, devstack.MinIO}

// TestServers takes a real stack through its life.
func TestServers(t *testing.T) {
	s := devstacktest.Start(t, servers...)
	again := devstack.Options{Services: servers, Isolated: true}
	first := states(t, s.Dir)
	for _, name := range servers {
		if first[name].State != "running" {
			t.Fatalf("after up: %+v", first[name])
		}
	}
	if first[devstack.Worker].State != "stopped" {
		t.Errorf("a worker nobody started: %+v", first[devstack.Worker])
	}
	objects, err := store.Open(t.Context(), s.Store())
	if err != nil {
		t.Fatal(err)
	}
	ref, err := objects.Put(t.Context(), []byte("kept between starts"))
	if err != nil {
		t.Fatal(err)
	}

	t.Run("a second up changes nothing", func(t *testing.T) {
		same, err := devstack.Up(t.Context(), s.Dir, again)
		if err != nil {
			t.Fatal(err)
		}
		if same.Addresses != s.Addresses || same.SecretKey != s.SecretKey {
			t.Errorf("addresses or keys changed: %+v, before %+v", same, s)
		}
		for name, st := range states(t, s.Dir) {
			if st.PID != first[name].PID {
				t.Errorf("%s was process %d, is %d", name, first[name].PID, st.PID)
			}
		}
	})

	t.Run("a killed server comes back with its data", func(t *testing.T) {
		for _, name := range servers {
			kill(t, first[name].PID)
		}
		if st := states(t, s.Dir)[devstack.MinIO]; st.State != "stopped" {
			t.Errorf("after its kill: %+v", st)
		}
		if _, err := devstack.Up(t.Context(), s.Dir, again); err != nil {
			t.Fatal(err)
		}
		if data, err := objects.Get(t.Context(), ref); err != nil || string(data) != "kept between starts" {
			t.Errorf("object put before: %q, %v", data, err)
		}
	})

	t.Run("an address can be changed", func(t *testing.T) {
		moved := again
		moved.S3 = listen(t, true)
		before := states(t, s.Dir)
		now, err := devstack.Up(t.Context(), s.Dir, moved)
		if err != nil {
			t.Fatal(err)
		}
		after := states(t, s.Dir)
		if now.S3 != moved.S3 || after[devstack.MinIO].Address != moved.S3 || after[devstack.MinIO].State != "running" {
			t.Errorf("MinIO after its move to %s: %+v", moved.S3, after[devstack.MinIO])
		}
		if before[devstack.Temporal].PID != after[devstack.Temporal].PID {
			t.Error("Temporal was restarted, too")
		}
	})

	t.Run("an address that cannot be had stops nothing", func(t *testing.T) {
		before := states(t, s.Dir)
		for _, addr := range []string{"127.0.0.1:99999", "127.0.0.1:0", "192.0.2.1:9000", listen(t, false),
			before[devstack.Temporal].Address} {
			bad := again
			bad.S3 = addr
			if _, err := devstack.Up(t.Context(), s.Dir, bad); err == nil || !strings.Contains(err.Error(), addr) ||
				!strings.Contains(err.Error(), "--s3") {
				t.Errorf("%s: error %v, want one that names it and --s3", addr, err)
			}
			if after := states(t, s.Dir); after[devstack.MinIO] != before[devstack.MinIO] ||
				after[devstack.Temporal] != before[devstack.Temporal] {
				t.Errorf("%s: MinIO %+v, before %+v", addr, after[devstack.MinIO], before[devstack.MinIO])
			}
		}
	})

	stopped, err := devstack.Down(s.Dir)
	if err != nil || !slices.Equal(stopped, []string{devstack.MinIO, devstack.Temporal}) {
		t.Errorf("down: %v, %v", stopped, err)
	}
	for _, name := range servers {
		if st := states(t, s.Dir)[name]; st.State != "stopped" {
			t.Errorf("after down: %+v", st)
		}
	}
	if stopped, err := devstack.Down(s.Dir); err != nil || len(stopped) > 0 {
		t.Errorf("second down: %v, %v", stopped, err)
	}
	info, err := os.Stat(filepath.Join(s.Dir, "stack.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("stack.json: %v, %v", info.Mode(), err)
	}
}

// TestDownSparesStrangers gives Down pid files that name a living process of another program.
func TestDownSparesStrangers(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	stranger, err := os.StartProcess("/bin/sleep", []string{"sleep", "600"}, &os.ProcAttr{})
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Wait()
	defer stranger.Kill()
	for _, file := range []string{
		fmt.Sprintf(`{"pid": %d, "born": "another boot/1", "command": ""}`, stranger.Pid),
		fmt.Sprintf(`{"pid": %d}`, stranger.Pid),
		`{"pid": -1, "born": "x"}`,
		`not JSON`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "run", "minio.json"), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		if stopped, err := devstack.Down(dir); err != nil || len(stopped) > 0 {
			t.Errorf("%s: stopped %v, %v", file, stopped, err)
		}
		if err := stranger.Signal(syscall.Signal(0)); err != nil {
			t.Fatalf("%s: the stranger is gone: %v", file, err)
		}
	}
}

// TestUpAtOnce starts the same stack from several sides.
func TestUpAtOnce(t *testing.T) {
	s := devstacktest.Start(t, devstack.MinIO)
	kill(t, states(t, s.Dir)[devstack.MinIO].PID)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := devstack.Up(t.Context(), s.Dir, devstack.Options{Services: []string{devstack.MinIO},
				Isolated: true}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	log, err := os.ReadFile(s.Log(devstack.MinIO))
	if err != nil {
		t.Fatal(err)
	}
	if starts := strings.Count(string(log), "--- "); starts != 2 {
		t.Errorf("%d starts, want 2", starts)
	}
}

func TestLogsFollow(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &devstack.Stack{Dir: dir}
	if err := os.WriteFile(s.Log(devstack.MinIO), []byte("one\ntwo\nthree\nfo"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lines := make(chan string, 10)
	done := make(chan error, 1)
	go func() { done <- s.Logs(ctx, sink(lines), []string{devstack.MinIO}, 2, true) }()
	expect := func(want string) {
		t.Helper()
		select {
		case got := <-lines:
			if got != want {
				t.Errorf("line %q, want %q", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("no line %q", want)
		}
	}
	expect("minio    | two\n")
	expect("minio    | three\n")
	if err := os.WriteFile(s.Log(devstack.MinIO), []byte("one\ntwo\nthree\nfour\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	expect("minio    | four\n")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestLogsLastLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &devstack.Stack{Dir: dir}
	if err := os.WriteFile(s.Log(devstack.MinIO), []byte("one\n\nthree\nfo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for lines, want := range map[int]string{
		0: "",
		1: "minio    | three\n",
		2: "minio    | \nminio    | three\n",
		3: "minio    | one\nminio    | \nminio    | three\n",
		9: "minio    | one\nminio    | \nminio    | three\n",
	} {
		var out strings.Builder
		if err := s.Logs(t.Context(), &out, []string{devstack.MinIO}, lines, false); err != nil ||
			out.String() != want {
			t.Errorf("the last %d lines are %q (%v), want %q", lines, out.String(), err, want)
		}
	}
}

type sink chan string

func (s sink) Write(p []byte) (int, error) { s <- string(p); return len(p), nil }

// states returns the status of each service.
func states(t *testing.T, dir string) map[string]devstack.Status {
	t.Helper()
	all, err := devstack.StatusOf(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]devstack.Status{}
	for _, st := range all {
		byName[st.Service] = st
	}
	return byName
}

// kill ends a process the hard way and waits until it is gone.
func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	gone(t, pid)
}

// gone waits for the end of a process, which a moment after its death is still to be reaped.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); syscall.Kill(pid, 0) == nil; {
		if time.Now().After(end) {
			t.Fatalf("process %d still runs", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// listen returns an address of this machine, in use or else free again.
func listen(t *testing.T, free bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if free {
		l.Close()
	} else {
		t.Cleanup(func() { l.Close() })
	}
	return l.Addr().String()
}
