package devstack

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Status is one service's state.
type Status struct {
	Service string `json:"service"`
	State   string `json:"state"` // running, starting (alive, not healthy), stopped, outdated, external
	Address string `json:"address,omitempty"`
	Page    string `json:"page,omitempty"` // for a browser
	PID     int    `json:"pid,omitempty"`
	LLM     string `json:"llm,omitempty"` // that a running worker asks, in words
	Log     string `json:"log,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// StatusOf looks at every service of the stack in dir, without changing anything.
func StatusOf(ctx context.Context, dir string) ([]Status, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s, err := Load(dir)
	if errors.Is(err, ErrNoStack) {
		s = &Stack{Dir: dir}
	} else if err != nil {
		return nil, err
	}
	var all []Status
	for _, name := range Services() {
		all = append(all, s.status(ctx, name))
	}
	return all, nil
}

func (s *Stack) status(ctx context.Context, name string) Status {
	st := Status{Service: name, State: "stopped"}
	if where := external(name); where != "" {
		st.State, st.Address = "external", where
		return st
	}
	st.Log = s.Log(name)
	switch name {
	case Temporal:
		st.Address, st.Page = s.Temporal, "http://"+s.TemporalUI
	case MinIO:
		st.Address, st.Page = s.S3, "http://"+s.S3Console
	case LLM:
		st.Address = s.LLM
	}
	p := readProcess(s.pidFile(name))
	if !p.alive() {
		st.Page = ""
		return st
	}
	st.State, st.PID = "running", p.PID
	if name == Worker {
		st.LLM = llmWords(p.LLM)
	}
	if err := s.healthy(ctx, name, time.Time{}); err != nil {
		st.State, st.Problem = "starting", err.Error()
	} else if in, err := s.invocation(name); err != nil {
		st.Problem = err.Error()
	} else if now, err := s.fingerprint(name, in); err == nil && len(changes(p.Parts, now)) > 0 {
		mend := "epb dev up"
		if p.loses(in.llm) {
			mend += " --replace-llm"
		}
		st.State = "outdated"
		st.Problem = fmt.Sprintf("not as when it started: %s; %s restarts it",
			strings.Join(changes(p.Parts, now), ", "), mend)
	}
	return st
}
