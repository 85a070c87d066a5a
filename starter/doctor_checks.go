package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/connect"
	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/fleet"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

func lookGo(ctx context.Context, _ string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").Output()
	if err != nil {
		return "", fmt.Errorf("the go command does not run, and TinyGo needs it to compile programs: %w", err)
	}
	version := strings.TrimSpace(string(out))
	var minor int
	if _, err := fmt.Sscanf(version, "go1.%d", &minor); err == nil && minor < 26 {
		return "", fmt.Errorf("%s is too old", version)
	}
	return version, nil
}

// lookCgo links a program with OpenBLAS, as a build of epb does.
func lookCgo(ctx context.Context, _ string) (string, error) {
	cc := cmp.Or(os.Getenv("CC"), "gcc")
	cmd := exec.CommandContext(ctx, cc, "-x", "c", "-", "-lopenblas", "-o", os.DevNull)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s cannot link OpenBLAS: %w %s", cc, err, strings.TrimSpace(string(out)))
	}
	return cc + " links OpenBLAS", nil
}

// lookKernels names the numeric kernels that a worker started from here would have. Slow ones are no problem: a mixed fleet
// may ask for them.
func lookKernels(context.Context, string) (string, error) {
	if err := tensorops.Check(); err != nil {
		return "", err
	}
	detail := tensorops.CurrentIdentity().String()
	if idle := tensorops.Idle(); idle != "" {
		detail += "; slower than need be: " + idle
	}
	return detail, nil
}

func lookTinyGo(context.Context, string) (string, error) {
	tools, err := compile.Find()
	if err != nil {
		return "", err
	}
	return tools.Version() + ", " + tools.TinyGo, nil
}

func lookWorker(context.Context, string) (string, error) { return devstack.Program("epb-worker") }

// addressSpace is what wasmer reserves for one instance of a program; none of it is used memory.
const addressSpace = 6 << 30 // bytes

func lookAddressSpace(context.Context, string) (string, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		return "", err
	}
	if limit.Cur < math.MaxInt64 {
		return "", fmt.Errorf("address space is limited to %.0f GiB; each running program reserves %d GiB of it", float64(limit.Cur)/(1<<30), addressSpace>>30)
	}
	return "address space is unlimited", nil
}

const diskNeeded = 2 << 30 // bytes; a run at the paper's scale keeps about as much

func lookDisk(_ context.Context, dir string) (string, error) {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return "", fmt.Errorf("%s: %w", dir, err)
	}
	free := fs.Bavail * uint64(fs.Bsize)
	detail := fmt.Sprintf("%.1f GiB free for %s", float64(free)/(1<<30), dir)
	if free < diskNeeded {
		return "", fmt.Errorf("%s; %d GiB are needed", detail, diskNeeded>>30)
	}
	return detail, nil
}

// dial connects to the Temporal that a run would use.
func dial(ctx context.Context, dir string) (client.Client, client.Options, error) {
	opts, err := connect.TemporalOptions(devstack.Servers(dir))
	if err != nil {
		return nil, opts, err
	}
	opts.Namespace = cmp.Or(opts.Namespace, client.DefaultNamespace)
	c, err := connect.Dial(ctx, opts)
	if err != nil && os.Getenv("TEMPORAL_ADDRESS") != "" {
		err = mended{err, "check TEMPORAL_ADDRESS, TEMPORAL_API_KEY and TEMPORAL_TLS, or unset them to use the dev stack"}
	}
	return c, opts, err
}

func lookTemporal(ctx context.Context, dir string) (string, error) {
	if _, err := connect.TemporalOptions(devstack.Servers(dir)); errors.Is(err, devstack.ErrNoStack) {
		if _, toolErr := tool.Find(devstack.Temporal); toolErr != nil {
			return "", mended{toolErr, "make tools"}
		}
	}
	c, opts, err := dial(ctx, dir)
	if err != nil {
		return "", err
	}
	defer c.Close()
	namespace := opts.Namespace
	if err := connect.CheckNamespace(ctx, c, opts); err != nil {
		return "", err
	}
	missing, err := connect.MissingSearchAttributes(ctx, c, namespace)
	if err != nil {
		return "", fmt.Errorf("namespace %s at %s: %w", namespace, opts.HostPort, err)
	}
	if len(missing) > 0 {
		err := fmt.Errorf("namespace %s at %s lacks the search attribute %s", namespace, opts.HostPort, missing[0].GetName())
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
	c, in, err := inspectStore(ctx, dir)
	if errors.Is(err, devstack.ErrNoStack) {
		if _, toolErr := tool.Find(devstack.MinIO); toolErr != nil {
			return "", mended{toolErr, "make tools"}
		}
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

// inspectStore looks at the store that a run would use.
func inspectStore(ctx context.Context, dir string) (store.Config, store.Inspection, error) {
	c, err := connect.StoreConfig(devstack.Servers(dir))
	if err != nil {
		return c, store.Inspection{}, err
	}
	in, err := store.Inspect(ctx, c)
	if err != nil && os.Getenv("EPB_S3_ENDPOINT") != "" {
		err = mended{err, "check EPB_S3_ENDPOINT, EPB_S3_BUCKET and the keys, or unset them to use the dev stack"}
	}
	return c, in, err
}

// lookLLM lists the models, which costs nothing: those of the LLM that the dev stack's worker asks, if that is not the environment's.
func lookLLM(ctx context.Context, dir string) (string, error) {
	c, err := connect.LLMConfig(devstack.Servers(dir))
	if err != nil {
		return "", err
	}
	if _, err := llm.New(c); err != nil {
		return "", mended{fmt.Errorf("OPENAI_BASE_URL: %w", err), "set OPENAI_BASE_URL to http(s)://host/v1"}
	}
	if worker, ok := devstack.WorkerLLM(dir); ok && worker != c.BaseURL {
		detail, standIn, err := models(ctx, worker, "", false)
		if err != nil {
			return "", mended{fmt.Errorf("the LLM of the dev stack's worker: %w", err),
				"OPENAI_BASE_URL=… OPENAI_API_KEY=… epb dev up worker, or the stand-in with --replace-llm"}
		}
		if standIn {
			detail += ", the rule-based stand-in"
		}
		return fmt.Sprintf("%s, as the dev stack's worker has it; this shell has %s", detail, c.BaseURL), nil
	}
	detail, _, err := models(ctx, c.BaseURL, c.APIKey, true)
	switch {
	case err != nil && configured():
		return "", mended{err, "check OPENAI_BASE_URL and OPENAI_API_KEY, or unset both to use the stand-in of the dev stack"}
	case err != nil:
		return "", err
	case !configured():
		return detail + ", the rule-based stand-in (set OPENAI_API_KEY to use a real model)", nil
	}
	return detail, nil
}

// configured reports whether this shell names an LLM.
func configured() bool {
	return os.Getenv("OPENAI_BASE_URL") != "" || os.Getenv("OPENAI_API_KEY") != ""
}

// models asks a server for its models, which costs nothing, and whether it is the stand-in. It may refuse to tell them
// where the key that it is used with is not known here.
func models(ctx context.Context, base, key string, known bool) (detail string, standIn bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(base, "/")+"/models", nil)
	if err != nil {
		return "", false, err
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", false, err
	}
	defer resp.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	_ = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&list) // a body that is no list names no model
	for _, m := range list.Data {
		standIn = standIn || llm.IsStandIn(m.ID)
	}
	switch refused := resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden; {
	case refused && known, resp.StatusCode >= 500:
		return "", standIn, fmt.Errorf("%s answers %s", base, resp.Status)
	case resp.StatusCode == http.StatusNotFound:
		return base + " (no /models here: is the path right? Most end in /v1)", standIn, nil
	}
	return base, standIn, nil
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
