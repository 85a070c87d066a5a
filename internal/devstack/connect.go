package devstack

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
)

// TemporalOptions says how to reach Temporal: as the environment (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE,
// TEMPORAL_API_KEY, TEMPORAL_TLS…) and Temporal's profile file have it, or else the stack in dir. They are the
// settings of the Temporal CLI, so that `temporal` and `epb` speak to the same server.
func TemporalOptions(dir string) (client.Options, error) {
	profile, err := temporalProfile()
	if err != nil {
		return client.Options{}, err
	}
	if profile.Address == "" {
		if profile.APIKey != "" || profile.TLS != nil {
			return client.Options{}, errors.New("temporal configuration: an API key or TLS is set but no address: set TEMPORAL_ADDRESS")
		}
		s, err := Load(dir)
		if err != nil {
			return client.Options{}, fmt.Errorf("no TEMPORAL_ADDRESS is set, and %w", err)
		}
		profile.Address = s.Temporal
	}
	opts, err := profile.ToClientOptions(envconfig.ToClientOptionsRequest{})
	if err != nil {
		return client.Options{}, fmt.Errorf("temporal configuration: %w", err)
	}
	return opts, nil
}

func temporalProfile() (envconfig.ClientConfigProfile, error) {
	profile, err := envconfig.LoadClientConfigProfile(envconfig.LoadClientConfigProfileOptions{})
	if err != nil {
		return profile, fmt.Errorf("temporal configuration: %w", err)
	}
	return profile, nil
}

// StoreConfig says where objects are: as EPB_S3_ENDPOINT and its companions have it, or else the stack in dir.
func StoreConfig(dir string) (store.Config, error) {
	if external(MinIO) != "" {
		return store.ConfigFromEnv(store.Config{})
	}
	s, err := Load(dir)
	if err != nil {
		return store.Config{}, fmt.Errorf("no EPB_S3_ENDPOINT is set, and %w", err)
	}
	return store.ConfigFromEnv(s.Store())
}

// LLMConfig says where the models are: as OPENAI_BASE_URL and OPENAI_API_KEY have it, or else the stand-in of the
// stack in dir.
func LLMConfig(dir string) (llm.Config, error) {
	c, err := namedLLM()
	if err != nil || c.BaseURL != "" {
		return c, err
	}
	s, err := Load(dir)
	if err != nil {
		return llm.Config{}, fmt.Errorf("neither OPENAI_API_KEY nor OPENAI_BASE_URL is set, and %w", err)
	}
	c.BaseURL = s.LLMBaseURL()
	return c, nil
}

// namedLLM says where the models are as the environment alone has it, without a base URL where that names none.
func namedLLM() (llm.Config, error) {
	c, err := llm.ConfigFromEnv()
	if c.BaseURL == "" && c.APIKey != "" {
		c.BaseURL = llm.OpenAI // asked where there is a key and no base URL
	}
	return c, err
}

// LLMOf returns the base URL of the LLM that a poller asks. It is known of the worker of the stack in dir alone.
func LLMOf(dir string, p Poller) (baseURL string, ok bool) {
	s, err := Load(dir)
	if err != nil {
		return "", false
	}
	worker := readProcess(s.pidFile(Worker))
	host, err := os.Hostname()
	if err != nil || !worker.alive() || !strings.HasPrefix(p.Identity, fmt.Sprintf("%d@%s@", worker.PID, host)) {
		return "", false
	}
	return WorkerLLM(dir)
}

// WorkerLLM returns the base URL that the worker of the stack in dir was started with. It is not ok where none runs.
func WorkerLLM(dir string) (baseURL string, ok bool) {
	s, err := Load(dir)
	if err != nil {
		return "", false
	}
	p := readProcess(s.pidFile(Worker))
	if !p.alive() || p.Parts == nil {
		return "", false
	}
	return cmp.Or(p.LLM, s.LLMBaseURL()), true
}
