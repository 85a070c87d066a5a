package main

import (
	"bytes"
	"net/http"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/config"
)

// A worker that must end while the LLM writes waits for the answer, stores it and asks nothing more.
func TestStoppedWorkerKeepsTheAnswer(t *testing.T) {
	g := newServers(t)
	s := newDeployment(t, g, "stop")
	asked, answer := make(chan struct{}), make(chan struct{})
	var first sync.Once
	quick := s.model
	s.model = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first.Do(func() { close(asked) })
		<-answer
		quick.ServeHTTP(w, r)
	})
	log := s.startWorker()
	cfg := drillConfig(config.EmptyBank) // first proposes programs
	cfg.Data = config.Data{Train: 60, Val: 40, Test: 5, Shard: 60, Starts: 1}
	run := s.execute(t.Context(), s.name, cfg)
	await(t, asked, "a question to the LLM")
	if err := s.worker.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.worker.Wait(); err != nil {
			t.Errorf("the worker: %v", err)
		}
	}()
	for stopping := false; !stopping; time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if stopping = bytes.Contains(text, []byte("is stopping")); !stopping && done(ended) {
			break
		}
	}
	close(answer)
	await(t, ended, "the end of the worker")
	stored, err := s.store.List(t.Context(), "llm/")
	if err != nil {
		t.Fatal(err)
	}
	if asked := len(s.asked()); len(stored) != asked || asked == 0 {
		t.Errorf("%d answers stored, %d given", len(stored), asked)
	}
	if err := g.c.TerminateWorkflow(t.Context(), run.GetID(), "", "the test is over"); err != nil {
		t.Error(err)
	}
}

func await(t *testing.T, event <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-event:
	case <-time.After(2 * time.Minute):
		t.Fatalf("%s never came", what)
	}
}

func done(event <-chan struct{}) bool {
	select {
	case <-event:
		return true
	default:
		return false
	}
}
