package devstack

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/workflows"
)

// The services, in the order in which they start. A worker needs the servers before it.
const (
	Temporal = "temporal"
	MinIO    = "minio"
	LLM      = "llm"
	Worker   = "worker"
)

// Services returns the names of all services in the order in which they start.
func Services() []string { return []string{Temporal, MinIO, LLM, Worker} }

// kernels is the variable that chooses the numeric kernels, see tensorops.CoreVariable.
const kernels = "EPB_BLAS_CORE"

// patience is how long a service may take to become healthy; a loaded small machine needs most of it.
const patience = 90 * time.Second

// invocation is how a service of one stack is started.
type invocation struct {
	program string
	own     bool // built from this repository, so that a rebuild calls for a restart
	args    []string
	whole   bool     // inherits this program's whole environment, and not what it needs alone
	inherit []string // variables that it needs beyond everyday ones, see tool.Environ
	env     []string // beyond what it inherits
	llm     string   // of a worker: base URL that the environment names; empty for the stand-in's
}

func (s *Stack) invocation(service string) (invocation, error) {
	var in invocation
	var err error
	switch service {
	case Temporal:
		in.program, err = tool.Find(Temporal)
		host, port, _ := net.SplitHostPort(s.Temporal)
		uiHost, uiPort, _ := net.SplitHostPort(s.TemporalUI)
		in.args = []string{
			"server", "start-dev", "--db-filename", s.path("data", "temporal.db"), "--log-level", "warn",
			"--ip", host, "--port", port, "--ui-ip", uiHost, "--ui-port", uiPort,
		}
		for _, a := range workflows.SearchAttributes() {
			in.args = append(in.args, "--search-attribute", a.GetName()+"="+a.GetValueType().String())
		}
	case MinIO:
		in.program, err = tool.Find(MinIO)
		in.args = []string{
			"server", s.path("data", "minio"), "--address", s.S3, "--console-address", s.S3Console,
			"--certs-dir", s.path("data", "certs"),
		}
		in.env = []string{"MINIO_ROOT_USER=" + s.AccessKey, "MINIO_ROOT_PASSWORD=" + string(s.SecretKey),
			"MINIO_UPDATE=off"}
	case LLM:
		in.program, err = Program("epb")
		in.own = true
		in.inherit = []string{"OPENBLAS_", kernels} // as every start of epb
		in.args = []string{"llm-standin", "--listen", s.LLM}
	case Worker:
		in.program, err = Program("epb-worker")
		in.own = true
		in.whole = true // a config may name any variable of it, see config.Endpoint
		in.env = []string{"EPB_DEV_DIR=" + s.Dir}
		named, llmErr := connect.NamedLLM()
		in.llm, err = named.BaseURL, errors.Join(err, llmErr)
	default:
		return in, fmt.Errorf("no service %q: there are %s", service, strings.Join(Services(), ", "))
	}
	return in, err
}

// environ is the environment that a service is started with.
func (in invocation) environ() []string {
	inherited := tool.Environ(in.inherit...)
	if in.whole {
		inherited = os.Environ()
	}
	return append(inherited, in.env...)
}

// fingerprint holds one digest for each input of a service. A running service is replaced if a digest has changed. Of
// the environment, only a worker's counts: the variables that package connect reads, those that mayBeEndpoint knows,
// the numeric kernels and the scratch folder. Others change from terminal to terminal.
func (s *Stack) fingerprint(service string, in invocation) (map[string]string, error) {
	program := in.program
	if in.own {
		code, err := os.ReadFile(in.program)
		if err != nil {
			return nil, err
		}
		program += digest(code)
	}
	settings := fmt.Sprintln(in.args, in.env)
	parts := map[string]string{}
	if service == Worker {
		settings += fmt.Sprintln(s.Addresses)
		for _, v := range os.Environ() {
			name, value, _ := strings.Cut(v, "=")
			if connect.Reads(name) || mayBeEndpoint(name) || name == kernels || name == scratch.Variable {
				parts[name] = digest([]byte(value))
			}
		}
	}
	parts["program"], parts["settings"] = digest([]byte(program)), digest([]byte(settings))
	return parts, nil
}

// perTerminal are variables that end as one of an endpoint may, and that terminals and desktops set anew.
var perTerminal = []string{"KITTY_PUBLIC_KEY", "XDG_ACTIVATION_TOKEN"}

// mayBeEndpoint reports whether a variable may be one that a config names in llm.endpoints. A config may name any, but
// only the ending of a name tells: _URL, _KEY or _TOKEN. What package connect reads is none.
func mayBeEndpoint(name string) bool {
	ends := func(ending string) bool { return strings.HasSuffix(name, ending) }
	return slices.ContainsFunc([]string{"_URL", "_KEY", "_TOKEN"}, ends) && !connect.Reads(name) &&
		!slices.Contains(perTerminal, name)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// changes names the inputs that differ between two fingerprints, without their values. That a variable which may be an
// endpoint's is gone is no change: another terminal need not have it.
func changes(then, now map[string]string) []string {
	all, lost := maps.Clone(now), lostEndpoints(then, now)
	maps.Copy(all, then)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(part string) bool {
		return then[part] == now[part] || slices.Contains(lost, part)
	})
}

// lostEndpoints names the variables of a fingerprint that may be an endpoint's and that another one has no more.
func lostEndpoints(then, now map[string]string) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(then)), func(part string) bool {
		_, there := now[part]
		return there || !mayBeEndpoint(part)
	})
}

// external describes the server that replaces a service. It is empty if there is none.
func external(service string) string {
	switch service {
	case Temporal:
		return connect.NamedTemporal()
	case MinIO:
		return connect.NamedStore()
	}
	return ""
}

func (s *Stack) path(parts ...string) string {
	return filepath.Join(append([]string{s.Dir}, parts...)...)
}

// Log returns the path of a service's log.
func (s *Stack) Log(service string) string { return s.path("logs", service+".log") }

func (s *Stack) pidFile(service string) string { return s.path("run", service+".json") }

// addressesOf returns the addresses that a service listens on.
func (s *Stack) addressesOf(service string) []address {
	var own []address
	for _, a := range s.all() {
		if a.service == service {
			own = append(own, a)
		}
	}
	return own
}
