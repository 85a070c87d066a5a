package devstack

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// pretend has a process run as the worker of a new stack, started with the LLM that is named.
func pretend(t *testing.T, named string) (s *Stack, p *process) {
	t.Helper()
	for _, v := range []string{"TEMPORAL_ADDRESS", "TEMPORAL_API_KEY", "EPB_S3_ENDPOINT", "EPB_S3_BUCKET",
		"OPENAI_BASE_URL", "OPENAI_API_KEY", "EPB_LLM_ATTEMPT"} {
		t.Setenv(v, "")
	}
	t.Setenv("TEMPORAL_CONFIG_FILE", filepath.Join(t.TempDir(), "none.toml"))
	dir, unlock, err := lock(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if s, err = newStack(dir, Addresses{}, true); err != nil {
		t.Fatal(err)
	}
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	if p, err = spawn(exec.Command("/bin/sleep", "600"), s.Log(Worker), true); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.stop(0); err != nil {
			t.Error(err)
		}
	})
	p.Parts, p.LLM = map[string]string{"program": "an older one"}, named
	if err := p.write(s.pidFile(Worker)); err != nil {
		t.Fatal(err)
	}
	return s, p
}

// TestUpSparesTheWorker: what is known to be wrong, or would take the worker's LLM away without a word, stops nothing.
func TestUpSparesTheWorker(t *testing.T) {
	const theirs = "http://127.0.0.1:9555/api"
	for name, c := range map[string]struct {
		runs    string // with this LLM
		env     map[string]string
		was     map[string]string // in the environment that it was started with
		options Options
		want    string // in the error; empty if the worker may be replaced
	}{
		"no LLM named":         {runs: theirs, want: "it runs with the LLM at " + theirs},
		"meant":                {runs: theirs, options: Options{ReplaceLLM: true}},
		"another LLM":          {runs: theirs, env: map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:9556/v1"}},
		"a key alone":          {runs: theirs, env: map[string]string{"OPENAI_API_KEY": "sk"}},
		"stand-in to an LLM":   {env: map[string]string{"OPENAI_BASE_URL": theirs}},
		"stand-in to stand-in": {},
		"no endpoint":          {was: map[string]string{"CRITIC_BASE_URL": theirs, "CRITIC_KEY": "sk-hush"}},
		"another endpoint": {was: map[string]string{"CRITIC_BASE_URL": theirs},
			env: map[string]string{"CRITIC_BASE_URL": theirs + "/v1"}},
		"no key of a server": {was: map[string]string{"TEMPORAL_API_KEY": "hush", "AWS_SECRET_ACCESS_KEY": "hush"}},
		"a bad duration": {env: map[string]string{"EPB_LLM_ATTEMPT": "20"},
			want: "EPB_LLM_ATTEMPT is no duration"},
		"no URL": {env: map[string]string{"OPENAI_BASE_URL": "sk-hush"},
			want: "OPENAI_BASE_URL: llm base URL: it is none"},
		"an API key of Temporal": {env: map[string]string{"TEMPORAL_API_KEY": "hush"}, want: "set TEMPORAL_ADDRESS"},
		"half a store": {env: map[string]string{"EPB_S3_ENDPOINT": "s3.example.org"},
			want: "EPB_S3_ACCESS_KEY"},
		"no bucket's name": {env: map[string]string{"EPB_S3_BUCKET": "a9"}, want: "EPB_S3_BUCKET: Bucket"},
		"Temporal out of reach": {env: map[string]string{"TEMPORAL_ADDRESS": "127.0.0.1:1"},
			want: "connect to Temporal at 127.0.0.1:1"},
		"a store out of reach": {env: map[string]string{"EPB_S3_ENDPOINT": "127.0.0.1:1", "EPB_S3_ACCESS_KEY": "key",
			"EPB_S3_SECRET_KEY": "hush"},
			want: "open bucket epb at http://127.0.0.1:1"},
		"another service's address": {options: Options{Addresses: Addresses{LLM: "127.0.0.1:9"}},
			want: "--llm 127.0.0.1:9: llm is not among what is started"},
	} {
		t.Run(name, func(t *testing.T) {
			s, p := pretend(t, c.runs)
			for name, value := range c.was {
				p.Parts[name] = digest([]byte(value))
			}
			if err := p.write(s.pidFile(Worker)); err != nil {
				t.Fatal(err)
			}
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			c.options.Services = []string{Worker}
			if c.want == "" {
				if err := s.ready(c.options.Services, c.options); err != nil {
					t.Error(err)
				}
				return
			}
			_, err := Up(t.Context(), s.Dir, c.options)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if !p.alive() {
				t.Error("the worker was stopped")
			}
		})
	}
}

// TestReplacingAWorkerNeedsItsServers: a worker goes on where the one that would take its place does not reach the
// stack's own servers.
func TestReplacingAWorkerNeedsItsServers(t *testing.T) {
	s, p := pretend(t, "")
	repository := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module github.com/epb-nco/epb\n",
		"bin/epb-worker": "#!/bin/sh\n"} {
		path := filepath.Join(repository, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755))
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(repository)
	err := s.up(t.Context(), Worker, Options{Say: t.Logf})
	if err == nil || !strings.Contains(err.Error(), "connect to Temporal at "+s.Temporal) ||
		!strings.Contains(err.Error(), "the old one goes on") {
		t.Errorf("error %v", err)
	}
	if !p.alive() {
		t.Error("the worker was stopped")
	}
}

// TestToolsAreLookedForFirst: a missing program is refused before anything is started or stopped.
func TestToolsAreLookedForFirst(t *testing.T) {
	s, _ := pretend(t, "")
	t.Setenv("EPB_TEMPORAL", "/bin/sleep")
	t.Setenv("EPB_MINIO", "/nowhere/minio")
	said := ""
	say := func(format string, a ...any) { said += fmt.Sprintf(format, a...) }
	_, err := Up(t.Context(), s.Dir, Options{Services: []string{Temporal, MinIO}, Isolated: true, Say: say})
	if err == nil || !strings.Contains(err.Error(), "start minio: EPB_MINIO") || said != "" {
		t.Errorf("error %v, and it said %q", err, said)
	}
	if _, err := os.Stat(s.Log(Temporal)); err == nil {
		t.Error("Temporal was started")
	}
}

// TestWorkerLLM wants the LLM of the worker that runs, whatever the environment names.
func TestWorkerLLM(t *testing.T) {
	s, p := pretend(t, "http://127.0.0.1:9555/api")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:9556/v1")
	if url, ok := WorkerLLM(s.Dir); url != "http://127.0.0.1:9555/api" || !ok {
		t.Errorf("%q, %v", url, ok)
	}
	if st := s.status(t.Context(), Worker); st.LLM != "http://127.0.0.1:9555/api" {
		t.Errorf("%+v", st)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for identity, known := range map[string]bool{
		fmt.Sprintf("%d@%s@0123", p.PID, host): true, fmt.Sprintf("%d@elsewhere@0123", p.PID): false,
		"1@" + host + "@": false,
	} {
		if url, ok := LLMOf(s.Dir, identity); ok != known || (url == "http://127.0.0.1:9555/api") != known {
			t.Errorf("%s: %q, %v", identity, url, ok)
		}
	}
	p.LLM = ""
	if err := p.write(s.pidFile(Worker)); err != nil {
		t.Fatal(err)
	}
	if url, ok := WorkerLLM(s.Dir); url != s.llmBaseURL() || !ok {
		t.Errorf("%q, %v", url, ok)
	}
	if _, err := Down(s.Dir, Worker); err != nil {
		t.Fatal(err)
	}
	if url, ok := WorkerLLM(s.Dir); ok {
		t.Errorf("%q after its end", url)
	}
}

// TestKeysStayWithTheWorker: no server inherits the keys of the LLM; the worker has its whole environment.
func TestKeysStayWithTheWorker(t *testing.T) {
	s, _ := pretend(t, "")
	for _, tool := range []string{"TEMPORAL", "MINIO"} {
		t.Setenv("EPB_"+tool, "/bin/sleep")
	}
	keys := []string{"OPENAI_API_KEY=sk-hush", "CRITIC_KEY=sk-hush", "TEMPORAL_API_KEY=sk-hush"}
	for _, key := range keys {
		name, value, _ := strings.Cut(key, "=")
		t.Setenv(name, value)
	}
	for _, service := range Services() {
		in, _ := s.invocation(service) // the environment does not depend on whether the program is built
		env := in.environ()
		if !slices.Contains(env, "PATH="+os.Getenv("PATH")) {
			t.Errorf("%s has no PATH", service)
		}
		for _, key := range keys {
			if slices.Contains(env, key) != (service == Worker) {
				t.Errorf("%s inherits %s: %v", service, key, service != Worker)
			}
		}
	}
}

// A worker that runs with other kernels than the ones asked for, another folder for what it has no memory for, or
// another endpoint is replaced. One that was started from another terminal is not.
func TestSettingsAreAChange(t *testing.T) {
	s, _ := pretend(t, "")
	in := invocation{program: "/bin/true"}
	for variable, values := range map[string][2]string{
		"EPB_BLAS_CORE": {"SkylakeX", "Haswell"}, "EPB_SCRATCH": {"/slow", "/fast"},
		"CRITIC_BASE_URL": {"http://a/v1", "http://b/v1"}, "CRITIC_KEY": {"a", "b"}, "HF_TOKEN": {"a", "b"},
	} {
		parts := func(value string) map[string]string {
			t.Setenv(variable, value)
			got, err := s.fingerprint(Worker, in)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if got := changes(parts(values[0]), parts(values[1])); !slices.Equal(got, []string{variable}) {
			t.Errorf("%q has changed, want %s", got, variable)
		}
	}
	for _, variable := range []string{"PWD", "SSH_CLIENT", "XDG_ACTIVATION_TOKEN", "KITTY_PUBLIC_KEY"} {
		t.Setenv(variable, "of this terminal")
		parts, err := s.fingerprint(Worker, in)
		if _, counts := parts[variable]; counts || err != nil {
			t.Errorf("%s counts (%v)", variable, err)
		}
	}
}

func TestChanges(t *testing.T) {
	then := map[string]string{"program": "1", "settings": "2", "OPENAI_API_KEY": "3", "CRITIC_KEY": "6"}
	now := map[string]string{"program": "1", "settings": "4", "EPB_LLM_ATTEMPT": "5"}
	if got := changes(then, now); !slices.Equal(got, []string{"EPB_LLM_ATTEMPT", "OPENAI_API_KEY", "settings"}) {
		t.Errorf("%q", got)
	}
	if got := lostEndpoints(then, now); !slices.Equal(got, []string{"CRITIC_KEY"}) {
		t.Errorf("lost %q", got)
	}
}
