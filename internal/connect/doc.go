// Package connect says how to reach the servers that EPB works with: Temporal, the object store and the language
// models.
//
// The environment (or Temporal's profile file) names them. For what it does not name, Fallback finds the
// local servers of this machine, those of the dev stack.
package connect

import (
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/store"
)

// Local are the servers of this machine.
type Local struct {
	Temporal string       // host:port
	Store    store.Config // of MinIO
	LLM      string       // base URL of the stand-in
}

// Fallback finds the local servers. It is called only where the environment does not name a server.
type Fallback func() (Local, error)

// Reads reports whether an environment variable says where a server is, or how to reach it.
func Reads(variable string) bool {
	prefixes := []string{"TEMPORAL_", "EPB_S3_", "AWS_", "OPENAI_", "EPB_LLM_"}
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
}
