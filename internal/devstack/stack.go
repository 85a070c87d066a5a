package devstack

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/tool"
)

// ErrNoStack is in the chain of Load's error where no stack was ever started in the folder.
var ErrNoStack = errors.New("no dev stack here yet: run `epb dev up`")

// Addresses of the servers, each host:port. In Up's options an empty one is chosen on first use.
type Addresses struct {
	Temporal   string `json:"temporal"`
	TemporalUI string `json:"temporal_ui"`
	S3         string `json:"s3"`
	S3Console  string `json:"s3_console"`
	LLM        string `json:"llm"`
}

// address is one entry of Addresses: its service, its flag and its well-known port.
type address struct {
	service, flag string
	value         *string
	port          string
}

func (a address) check() error {
	_, port, err := net.SplitHostPort(*a.value)
	if n, portErr := net.LookupPort("tcp", port); err != nil || portErr != nil || n == 0 {
		return fmt.Errorf("--%s %q: want host:port, the port from 1 to 65535", a.flag, *a.value)
	}
	return nil
}

// listen takes the address, or says why nothing can listen there and what to do.
func (a address) listen() (net.Listener, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", *a.value)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("another program listens on %s; stop what uses it or choose another: "+
			"epb dev up --%s HOST:PORT", *a.value, a.flag)
	case err != nil:
		return nil, fmt.Errorf("nothing can listen on %s (%w); choose another: epb dev up --%s HOST:PORT", *a.value,
			err, a.flag)
	}
	return l, nil
}

// vacant fails if one of the addresses is in use, or two of them are the same.
func vacant(addresses []address) error {
	for _, a := range addresses {
		l, err := a.listen()
		if err != nil {
			return err
		}
		defer l.Close() // once all are taken
	}
	return nil
}

func (a *Addresses) all() []address {
	return []address{
		{Temporal, "temporal", &a.Temporal, "7233"},
		{Temporal, "temporal-ui", &a.TemporalUI, "8233"},
		{MinIO, "s3", &a.S3, "9000"},
		{MinIO, "s3-console", &a.S3Console, "9001"},
		{LLM, "llm", &a.LLM, "9100"},
	}
}

// Stack is what stack.json holds: where the servers of one folder listen, and the keys of its MinIO.
type Stack struct {
	Addresses
	AccessKey string       `json:"s3_access_key"`
	SecretKey store.Secret `json:"-"`

	Dir string `json:"-"`
}

// stackFile is the file's form; the secret is written here and nowhere else.
type stackFile struct {
	*Stack
	SecretKey string `json:"s3_secret_key"`
}

// TemporalUIURL is where a browser shows the workflows.
func (s *Stack) TemporalUIURL() string { return "http://" + s.TemporalUI }

// llmBaseURL is the stand-in's base URL for an OpenAI client.
func (s *Stack) llmBaseURL() string { return "http://" + s.LLM + "/v1" }

// Store says how to reach the stack's MinIO.
func (s *Stack) Store() store.Config {
	return store.Config{
		Endpoint: s.S3, Bucket: store.DefaultBucket, AccessKey: s.AccessKey, SecretKey: s.SecretKey,
	}
}

// Servers returns a function for package connect that finds the servers of the stack in a folder.
func Servers(dir string) connect.Fallback {
	return func() (connect.Local, error) {
		s, err := Load(dir)
		if err != nil {
			return connect.Local{}, err
		}
		return connect.Local{Temporal: s.Temporal, Store: s.Store(), LLM: s.llmBaseURL()}, nil
	}
}

// DefaultDir is $EPB_DEV_DIR, or .dev in the repository that the working folder or this program lies in, or a
// folder of the user's.
func DefaultDir() string {
	if dir := os.Getenv("EPB_DEV_DIR"); dir != "" {
		return dir
	}
	if root, ok := tool.Repository(); ok {
		return filepath.Join(root, ".dev")
	}
	if home, err := os.UserHomeDir(); err == nil {
		return filepath.Join(home, ".local", "state", "epb")
	}
	return ".dev"
}

// Load reads the stack of a folder, running or not. The error wraps ErrNoStack where there is none.
func Load(dir string) (*Stack, error) {
	path := filepath.Join(dir, "stack.json")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoStack)
	}
	if err != nil {
		return nil, err
	}
	s := &Stack{Dir: dir}
	file := stackFile{Stack: s}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, damaged(path, err)
	}
	s.SecretKey = store.Secret(file.SecretKey)
	for _, a := range s.all() {
		if err := a.check(); err != nil {
			return nil, damaged(path, err)
		}
	}
	if s.AccessKey == "" || s.SecretKey == "" {
		return nil, damaged(path, errors.New("no MinIO keys"))
	}
	return s, nil
}

// damaged returns the error about a damaged stack file, with what to do about it.
func damaged(path string, err error) error {
	return fmt.Errorf("%s is damaged (%w): delete it and `epb dev up` makes a new one; data is kept", path, err)
}

// save writes stack.json atomically, readable only by the user.
func (s *Stack) save() error {
	data, err := json.MarshalIndent(stackFile{Stack: s, SecretKey: string(s.SecretKey)}, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(s.Dir, "stack.json")
	if err := os.WriteFile(path+".new", append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// newStack chooses keys and addresses. It uses the well-known ports that are free, unless anyPort is set.
func newStack(dir string, want Addresses, anyPort bool) (*Stack, error) {
	s := &Stack{Dir: dir, Addresses: want, AccessKey: "epb-" + rand.Text()[:8], SecretKey: store.Secret(rand.Text())}
	var held []net.Listener // until all are chosen, so that no two get the same port
	defer func() {
		for _, l := range held {
			l.Close()
		}
	}()
	for _, a := range s.all() {
		if *a.value != "" {
			l, err := a.listen()
			if err != nil {
				return nil, err
			}
			held = append(held, l)
			continue
		}
		var l net.Listener
		err := errors.New("not tried")
		if !anyPort {
			l, err = net.Listen("tcp", "127.0.0.1:"+a.port)
		}
		if err != nil {
			l, err = listenAnywhere()
		}
		if err != nil {
			return nil, fmt.Errorf("choose a port for %s: %w", a.flag, err)
		}
		held = append(held, l)
		*a.value = l.Addr().String()
	}
	return s, nil
}

// listenAnywhere listens on a free port below those that systems give to outgoing connections, 32768 on Linux and 49152
// elsewhere: one of these may be taken by a connection between this choice and the start of the server.
func listenAnywhere() (l net.Listener, err error) {
	const low, high, tries = 10000, 32768, 100
	for range tries {
		port := strconv.Itoa(low + mathrand.IntN(high-low))
		if l, err = net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// moves returns the wanted addresses that differ from the stack's.
func (s *Stack) moves(want Addresses) []address {
	var moved []address
	for i, have := range s.all() {
		if w := want.all()[i]; *w.value != "" && *w.value != *have.value {
			moved = append(moved, w)
		}
	}
	return moved
}

// move takes over the wanted addresses of a service.
func (s *Stack) move(service string, want Addresses) {
	for i, have := range s.all() {
		if w := want.all()[i]; have.service == service && *w.value != "" {
			*have.value = *w.value
		}
	}
}
