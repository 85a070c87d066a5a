package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"

	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/workflows"
)

// dial connects to the Temporal that a run would use, and fails if that lacks the namespace.
func dial(ctx context.Context, dir string) (client.Client, client.Options, error) {
	c, opts, err := connect.Temporal(ctx, devstack.Servers(dir))
	if err != nil {
		return nil, opts, temporalMended(err)
	}
	if err := connect.CheckNamespace(ctx, c, opts); err != nil {
		c.Close()
		return nil, opts, temporalMended(err)
	}
	return c, opts, nil
}

// temporalMended adds what mends an error of Temporal, unless that is to start the dev stack's.
func temporalMended(err error) error {
	const unset = ", or unset them to use the dev stack"
	switch {
	case errors.Is(err, connect.ErrTemporalConfig):
		return mended{err, "correct the variables TEMPORAL_… or Temporal's profile file" + unset}
	case errors.Is(err, connect.ErrNoNamespace):
		return mended{err, "set TEMPORAL_NAMESPACE to a namespace that exists"}
	case os.Getenv("TEMPORAL_ADDRESS") != "":
		return mended{err, "check TEMPORAL_ADDRESS, TEMPORAL_API_KEY and TEMPORAL_TLS" + unset}
	case connect.NamedTemporal() != "":
		return mended{err, "check address, API key and TLS in Temporal's profile file, or set TEMPORAL_ADDRESS"}
	}
	return err
}

func lookTemporal(ctx context.Context, dir string) (string, error) {
	c, opts, err := dial(ctx, dir)
	if own := (mended{}); err != nil && !errors.As(err, &own) { // the dev stack's mends it, so the tool must be there
		if _, toolErr := tool.Find(devstack.Temporal); toolErr != nil {
			err = toolMended(devstack.Temporal, toolErr)
		}
	}
	if err != nil {
		return "", err
	}
	defer c.Close()
	namespace := opts.Namespace
	missing, err := connect.MissingSearchAttributes(ctx, c, namespace)
	if err != nil {
		return "", temporalMended(fmt.Errorf("namespace %s at %s: %w", namespace, opts.HostPort, err))
	}
	if len(missing) > 0 {
		err := fmt.Errorf("namespace %s at %s lacks the search attribute %s", namespace, opts.HostPort,
			missing[0].GetName())
		mend := "temporal operator search-attribute create --namespace " + namespace
		for _, a := range missing {
			mend += fmt.Sprintf(" --name %s --type %s", a.GetName(), a.GetValueType())
		}
		return "", mended{err, mend}
	}
	return fmt.Sprintf("%s, namespace %s", opts.HostPort, namespace), nil
}

// lookStore writes, reads and deletes one small object.
func lookStore(ctx context.Context, dir string) (string, error) {
	c, in, err := connect.InspectStore(ctx, devstack.Servers(dir))
	if errors.Is(err, devstack.ErrNoStack) {
		if _, toolErr := tool.Find(devstack.MinIO); toolErr != nil {
			return "", toolMended(devstack.MinIO, toolErr)
		}
	}
	if err != nil && (connect.NamedStore() != "" || os.Getenv("EPB_S3_BUCKET") != "") {
		err = mended{err, "check EPB_S3_ENDPOINT, EPB_S3_BUCKET and the keys, or unset them to use the dev stack"}
	}
	if err != nil {
		return "", err
	}
	detail := fmt.Sprintf("%s, bucket %s", c.URL(), c.Bucket)
	switch {
	case in.Store == nil:
		detail += ", which the first run makes"
	case in.Left != "":
		detail += fmt.Sprintf(" (the keys may not delete: %s stays there)", in.Left)
	}
	return detail, nil
}

// lookLLM lists the models, which costs nothing: those of the LLM that the dev stack's worker asks, if that is not the
// environment's.
func lookLLM(ctx context.Context, dir string) (string, error) {
	c, err := connect.LLMConfig(devstack.Servers(dir))
	if err != nil && !errors.Is(err, devstack.ErrNoStack) {
		err = mended{err, "correct or unset the variable that the error names"}
	}
	if err != nil {
		return "", err
	}
	if _, err := llm.New(c); err != nil {
		return "", mended{fmt.Errorf("OPENAI_BASE_URL: %w", err), "set OPENAI_BASE_URL to http(s)://host/v1"}
	}
	if worker, ok := devstack.WorkerLLM(dir); ok && worker != c.BaseURL {
		detail, standIn, err := connect.Models(ctx, worker, "", false)
		if err != nil {
			return "", mended{fmt.Errorf("the LLM of the dev stack's worker: %w", err),
				"OPENAI_BASE_URL=… OPENAI_API_KEY=… epb dev up worker, or the stand-in with --replace-llm"}
		}
		if standIn {
			detail += ", the rule-based stand-in"
		}
		return fmt.Sprintf("%s, as the dev stack's worker has it; this shell has %s", detail, c.BaseURL), nil
	}
	detail, _, err := connect.Models(ctx, c.BaseURL, c.APIKey, true)
	switch {
	case err != nil && connect.LLMIsNamed():
		return "", mended{err, "check OPENAI_BASE_URL and OPENAI_API_KEY, or unset both to use the stand-in of the " +
			"dev stack"}
	case err != nil:
		return "", err
	case !connect.LLMIsNamed():
		return detail + ", the rule-based stand-in (set OPENAI_API_KEY to use a real model)", nil
	}
	return detail, nil
}

func lookPolling(ctx context.Context, dir string) (string, error) {
	c, _, err := dial(ctx, dir)
	if err != nil {
		return "", err
	}
	defer c.Close()
	live, err := fleet.Live(ctx, c)
	if err != nil {
		return "", err
	}
	if len(live) == 0 {
		return "", fmt.Errorf("no worker polls the task queue %s", workflows.Queue)
	}
	return "a worker polls the task queue " + workflows.Queue, nil
}
