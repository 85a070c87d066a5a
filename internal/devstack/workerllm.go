package devstack

import (
	"cmp"
	"fmt"
	"os"
	"strings"
)

// LLMOf returns the base URL of the LLM that a worker asks. identity is the worker's identity in Temporal. The URL is
// known only for the worker of the stack in dir.
func LLMOf(dir, identity string) (baseURL string, ok bool) {
	s, err := Load(dir)
	if err != nil {
		return "", false
	}
	worker := readProcess(s.pidFile(Worker))
	host, err := os.Hostname()
	if err != nil || !worker.alive() || !strings.HasPrefix(identity, fmt.Sprintf("%d@%s@", worker.PID, host)) {
		return "", false
	}
	return WorkerLLM(dir)
}

// WorkerLLM returns the base URL that the worker of the stack in dir was started with. ok is false if no worker runs.
func WorkerLLM(dir string) (baseURL string, ok bool) {
	s, err := Load(dir)
	if err != nil {
		return "", false
	}
	p := readProcess(s.pidFile(Worker))
	if !p.alive() || p.Parts == nil {
		return "", false
	}
	return cmp.Or(p.LLM, s.llmBaseURL()), true
}
