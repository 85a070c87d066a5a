package connect_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/store"
)

// devStack are the servers of a stack that never ran.
func devStack() (connect.Local, error) {
	return connect.Local{
		Temporal: "127.0.0.1:7233", LLM: "http://127.0.0.1:9100/v1",
		Store: store.Config{Endpoint: "127.0.0.1:9000", Bucket: store.DefaultBucket, AccessKey: "epb-key",
			SecretKey: "hush"},
	}, nil
}

var errNoStack = errors.New("no stack here")

func noStack() (connect.Local, error) { return connect.Local{}, errNoStack }

// nothingSet clears every variable that says what to connect to.
func nothingSet(t *testing.T) {
	t.Helper()
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		for _, prefix := range []string{"TEMPORAL_", "EPB_S3_", "AWS_", "OPENAI_", "EPB_LLM_"} {
			if strings.HasPrefix(name, prefix) {
				t.Setenv(name, "") // to have it restored
				os.Unsetenv(name)
			}
		}
	}
	t.Setenv("TEMPORAL_CONFIG_FILE", filepath.Join(t.TempDir(), "none.toml"))
}

func TestTemporalOptions(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "temporal.toml")
	text := []byte("[profile.default]\naddress = \"file:7233\"\nnamespace = \"epb\"\n")
	if err := os.WriteFile(profile, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name      string
		env       map[string]string
		address   string
		namespace string
		tls, key  bool
		wrong     string // part of the error
	}{
		{name: "dev stack", address: "127.0.0.1:7233"},
		{name: "dev stack, other namespace", env: map[string]string{"TEMPORAL_NAMESPACE": "n"},
			address: "127.0.0.1:7233", namespace: "n"},
		{name: "address", env: map[string]string{"TEMPORAL_ADDRESS": "cluster:7233"}, address: "cluster:7233"},
		{name: "TLS", env: map[string]string{"TEMPORAL_ADDRESS": "cluster:7233", "TEMPORAL_TLS": "true"},
			address: "cluster:7233", tls: true},
		{
			name: "API key", // which means TLS
			env: map[string]string{"TEMPORAL_ADDRESS": "cloud:7233", "TEMPORAL_NAMESPACE": "n.acct",
				"TEMPORAL_API_KEY": "hush"},
			address: "cloud:7233", namespace: "n.acct", tls: true, key: true,
		},
		{name: "profile file", env: map[string]string{"TEMPORAL_CONFIG_FILE": profile}, address: "file:7233",
			namespace: "epb"},
		{name: "environment over file", env: map[string]string{"TEMPORAL_CONFIG_FILE": profile,
			"TEMPORAL_ADDRESS": "cluster:7233"}, address: "cluster:7233", namespace: "epb"},
		{name: "key without address", env: map[string]string{"TEMPORAL_API_KEY": "hush"}, wrong: "TEMPORAL_ADDRESS"},
		{name: "no TLS", env: map[string]string{"TEMPORAL_TLS": "false"}, address: "127.0.0.1:7233"},
		{name: "empty variables", env: map[string]string{"TEMPORAL_TLS_SERVER_NAME": "", "TEMPORAL_API_KEY": "",
			"TEMPORAL_TLS_CLIENT_CERT_PATH": ""}, address: "127.0.0.1:7233"},
		{name: "header", env: map[string]string{"TEMPORAL_ADDRESS": "cluster:7233",
			"TEMPORAL_GRPC_META_AUTHORIZATION": "Basic dTpwYXNzdw=="}, address: "cluster:7233"},
		{name: "TLS without address", env: map[string]string{"TEMPORAL_TLS": "true"}, wrong: "TEMPORAL_ADDRESS"},
		{name: "no such profile", env: map[string]string{"TEMPORAL_PROFILE": "prod"}, wrong: "prod"},
		{name: "no such certificate", env: map[string]string{"TEMPORAL_ADDRESS": "c:1",
			"TEMPORAL_TLS_CLIENT_CERT_PATH": "/nowhere.pem", "TEMPORAL_TLS_CLIENT_KEY_PATH": "/nowhere.key"},
			wrong: "/nowhere"},
	} {
		t.Run(test.name, func(t *testing.T) {
			nothingSet(t)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			opts, err := connect.TemporalOptions(devStack)
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) || strings.Contains(err.Error(), "hush") {
					t.Fatalf("error %v, want one about %s", err, test.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if opts.HostPort != test.address || opts.Namespace != test.namespace {
				t.Errorf("%s, namespace %q; want %s, %q", opts.HostPort, opts.Namespace, test.address, test.namespace)
			}
			if tls := opts.ConnectionOptions.TLS != nil; tls != test.tls {
				t.Errorf("TLS %v, want %v", tls, test.tls)
			}
			if key := opts.Credentials != nil; key != test.key {
				t.Errorf("credentials %v, want %v", key, test.key)
			}
		})
	}
}

func TestStoreAndLLMConfig(t *testing.T) {
	nothingSet(t)
	if c, err := connect.StoreConfig(devStack); err != nil || c.Endpoint != "127.0.0.1:9000" ||
		c.AccessKey != "epb-key" || string(c.SecretKey) != "hush" || c.TLS {
		t.Errorf("store of the dev stack: %+v, %v", c, err)
	}
	if c, err := connect.LLMConfig(devStack); err != nil || c.BaseURL != "http://127.0.0.1:9100/v1" || c.APIKey != "" {
		t.Errorf("LLM of the dev stack: %+v, %v", c, err)
	}
	t.Setenv("EPB_LLM_ATTEMPT", "20m")
	if c, err := connect.LLMConfig(devStack); err != nil || c.BaseURL != "http://127.0.0.1:9100/v1" ||
		c.Attempt != 20*time.Minute {
		t.Errorf("LLM of the dev stack, with patience: %+v, %v", c, err)
	}
	t.Setenv("EPB_LLM_ATTEMPT", "soon")
	if _, err := connect.LLMConfig(devStack); err == nil || !strings.Contains(err.Error(), "EPB_LLM_ATTEMPT") {
		t.Errorf("a bad duration: %v", err)
	}
	t.Setenv("EPB_LLM_ATTEMPT", "")
	if _, err := connect.StoreConfig(noStack); !errors.Is(err, errNoStack) ||
		!strings.Contains(err.Error(), "EPB_S3_ENDPOINT") {
		t.Errorf("store of nothing: %v", err)
	}
	if _, err := connect.LLMConfig(noStack); !errors.Is(err, errNoStack) ||
		!strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("LLM of nothing: %v", err)
	}

	t.Setenv("EPB_S3_ENDPOINT", "s3.example.org")
	t.Setenv("EPB_S3_ACCESS_KEY", "theirs")
	t.Setenv("EPB_S3_SECRET_KEY", "theirs, too")
	t.Setenv("OPENAI_API_KEY", "sk")
	if c, err := connect.StoreConfig(noStack); err != nil || c.Endpoint != "s3.example.org" ||
		c.AccessKey != "theirs" || !c.TLS {
		t.Errorf("hosted store: %+v, %v", c, err)
	}
	if c, err := connect.LLMConfig(noStack); err != nil || c.APIKey != "sk" {
		t.Errorf("hosted LLM: %+v, %v", c, err)
	}
	for endpoint, want := range map[string]string{
		"s3.example.org": "s3.example.org", "https://user:hush@s3.example.org": "$EPB_S3_ENDPOINT",
	} {
		t.Setenv("EPB_S3_ENDPOINT", endpoint)
		if got := connect.NamedStore(); got != want {
			t.Errorf("the store at %s is named %s, want %s", endpoint, got, want)
		}
	}
}
