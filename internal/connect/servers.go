package connect

import (
	"context"
	"fmt"
	"os"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
)

// NamedStore returns the address of the object store that the environment names, or nothing. In place of an address
// with credentials in it, which StoreConfig refuses, it returns the name of the variable.
func NamedStore() string {
	const variable = "EPB_S3_ENDPOINT"
	if named := os.Getenv(variable); !store.HoldsCredentials(named) {
		return named
	}
	return "$" + variable
}

// StoreConfig returns how to reach the object store: from EPB_S3_ENDPOINT and its companions, or else the local store.
func StoreConfig(local Fallback) (store.Config, error) {
	if NamedStore() != "" {
		return store.ConfigFromEnv(store.Config{})
	}
	l, err := local()
	if err != nil {
		return store.Config{}, fmt.Errorf("no EPB_S3_ENDPOINT is set, and %w", err)
	}
	return store.ConfigFromEnv(l.Store)
}

// InspectStore looks at the store that StoreConfig names, without leaving anything there if the keys allow that.
func InspectStore(ctx context.Context, local Fallback) (store.Config, store.Inspection, error) {
	c, err := StoreConfig(local)
	if err != nil {
		return c, store.Inspection{}, err
	}
	in, err := store.Inspect(ctx, c)
	return c, in, err
}

// LLMConfig returns how to reach the models: from OPENAI_BASE_URL and OPENAI_API_KEY, or else the local stand-in.
func LLMConfig(local Fallback) (llm.Config, error) {
	c, err := NamedLLM()
	if err != nil || c.BaseURL != "" {
		return c, err
	}
	l, err := local()
	if err != nil {
		return llm.Config{}, fmt.Errorf("neither OPENAI_API_KEY nor OPENAI_BASE_URL is set, and %w", err)
	}
	c.BaseURL = l.LLM
	return c, nil
}

// NamedLLM is LLMConfig from the environment alone. If the environment names no LLM, the base URL is empty.
func NamedLLM() (llm.Config, error) {
	c, err := llm.ConfigFromEnv()
	if c.BaseURL == "" && c.APIKey != "" {
		c.BaseURL = llm.OpenAI // a key without a base URL is OpenAI's
	}
	return c, err
}
