package connect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc"

	"github.com/epb-nco/epb/workflows"
)

// Errors of how Temporal is named.
var (
	// ErrTemporalConfig means that environment and profile file do not say how to reach a Temporal.
	ErrTemporalConfig = errors.New("temporal configuration")
	// ErrNoNamespace means that a Temporal does not have the namespace.
	ErrNoNamespace = errors.New("there is no namespace")
)

// TemporalOptions says how to reach Temporal: as the environment (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE,
// TEMPORAL_API_KEY, TEMPORAL_TLS…) and Temporal's profile file have it, or else the local server. They are the settings
// of the Temporal CLI, so that `temporal` and `epb` speak to the same server.
func TemporalOptions(local Fallback) (client.Options, error) {
	profile, err := temporalProfile()
	if err != nil {
		return client.Options{}, err
	}
	if profile.Address == "" {
		if profile.APIKey != "" || profile.TLS != nil && !profile.TLS.Disabled {
			return client.Options{}, fmt.Errorf(
				"%w: an API key or TLS is set but no address: set TEMPORAL_ADDRESS", ErrTemporalConfig)
		}
		l, err := local()
		if err != nil {
			return client.Options{}, fmt.Errorf("no TEMPORAL_ADDRESS is set, and %w", err)
		}
		profile.Address = l.Temporal
	}
	opts, err := profile.ToClientOptions(envconfig.ToClientOptionsRequest{})
	if err != nil {
		return client.Options{}, fmt.Errorf("%w: %w", ErrTemporalConfig, err)
	}
	return opts, nil
}

// NamedTemporal returns the address of the Temporal that the environment or the profile file names, or nothing.
func NamedTemporal() string {
	profile, err := temporalProfile()
	if err != nil {
		return ""
	}
	return profile.Address
}

func temporalProfile() (envconfig.ClientConfigProfile, error) {
	profile, err := envconfig.LoadClientConfigProfile(envconfig.LoadClientConfigProfileOptions{EnvLookup: variables{}})
	if err != nil {
		return profile, fmt.Errorf("%w: %w", ErrTemporalConfig, err)
	}
	return profile, nil
}

// variables are those of the environment, without those of TLS that are empty: they would mean that there is TLS.
type variables struct{}

// Environ implements envconfig.EnvLookup.
func (variables) Environ() []string { return os.Environ() }

// LookupEnv implements envconfig.EnvLookup.
func (variables) LookupEnv(name string) (string, bool) {
	value, set := os.LookupEnv(name)
	return value, set && (value != "" || !strings.HasPrefix(name, "TEMPORAL_TLS"))
}

// Dial connects to Temporal. Without a logger in the options the SDK logs nothing: the error says it all.
func Dial(ctx context.Context, opts client.Options) (client.Client, error) {
	if opts.Logger == nil {
		opts.Logger = log.NewStructuredLogger(slog.New(slog.DiscardHandler))
	}
	opts.ConnectionOptions.DialOptions = append(slices.Clip(opts.ConnectionOptions.DialOptions),
		grpc.WithChainUnaryInterceptor(patient(heartbeatPatience)))
	c, err := client.DialContext(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("connect to Temporal at %s: %w", opts.HostPort, err)
	}
	return c, nil
}

// Temporal connects to the Temporal that TemporalOptions names. The options that it returns always name a namespace.
func Temporal(ctx context.Context, local Fallback) (client.Client, client.Options, error) {
	opts, err := TemporalOptions(local)
	if err != nil {
		return nil, opts, err
	}
	opts.Namespace = cmp.Or(opts.Namespace, client.DefaultNamespace)
	c, err := Dial(ctx, opts)
	return c, opts, err
}

// CheckNamespace fails if the server does not have the namespace of the options. The error wraps ErrNoNamespace then.
func CheckNamespace(ctx context.Context, c client.Client, opts client.Options) error {
	request := &workflowservice.DescribeNamespaceRequest{Namespace: opts.Namespace}
	_, err := c.WorkflowService().DescribeNamespace(ctx, request)
	if _, absent := errors.AsType[*serviceerror.NamespaceNotFound](err); absent {
		return fmt.Errorf("%w %s at %s: set TEMPORAL_NAMESPACE to one that exists", ErrNoNamespace, opts.Namespace,
			opts.HostPort)
	}
	if err != nil {
		return fmt.Errorf("namespace %s at %s: %w", opts.Namespace, opts.HostPort, err)
	}
	return nil
}

// MissingSearchAttributes returns those of workflows.SearchAttributes that the namespace does not have.
func MissingSearchAttributes(
	ctx context.Context, c client.Client, namespace string,
) ([]temporal.SearchAttributeKey, error) {
	request := &operatorservice.ListSearchAttributesRequest{Namespace: namespace}
	have, err := c.OperatorService().ListSearchAttributes(ctx, request)
	if err != nil {
		return nil, err
	}
	var missing []temporal.SearchAttributeKey
	for _, a := range workflows.SearchAttributes() {
		if _, ok := have.CustomAttributes[a.GetName()]; !ok {
			missing = append(missing, a)
		}
	}
	return missing, nil
}
