package doctor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/epb-nco/epb/internal/devstack"
	"github.com/epb-nco/epb/internal/scratch"
	"github.com/epb-nco/epb/internal/tool"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
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
	cc := cmp.Or(strings.TrimSpace(os.Getenv("CC")), "gcc")
	words := append(strings.Fields(cc), "-x", "c", "-", "-lopenblas", "-o", os.DevNull) // CC may be "ccache gcc"
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s cannot link OpenBLAS: %w %s", cc, err, strings.TrimSpace(string(out)))
	}
	return cc + " links OpenBLAS", nil
}

// lookKernels names the numeric kernels that a worker started from here would have. Slow ones are no problem: a mixed
// fleet may ask for them.
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
		if _, absent := exec.LookPath("go"); absent != nil {
			return "", mended{err, installGo}
		}
		return "", toolMended("tinygo", err)
	}
	return tools.Version() + ", " + tools.TinyGo, nil
}

// toolMended adds to the error of a tool what mends it. The variable that names a tool comes before what is installed.
func toolMended(name string, err error) error {
	if variable := tool.Variable(name); os.Getenv(variable) != "" {
		return mended{err, fmt.Sprintf("set %s to the path of a %s that works, or unset it", variable, name)}
	}
	return mended{err, "make tools"}
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
		return "", fmt.Errorf("address space is limited to %.0f GiB; each running program reserves %d GiB of it",
			float64(limit.Cur)/(1<<30), addressSpace>>30)
	}
	return "address space is unlimited", nil
}

const diskNeeded = 2 << 30 // bytes; a run of 100,000 instances of 50 nodes keeps about as much

func lookDisk(_ context.Context, dir string) (string, error) {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	free, err := scratch.Free(dir)
	if err != nil {
		return "", err
	}
	detail := fmt.Sprintf("%.1f GiB free for %s", float64(free)/(1<<30), dir)
	if free < diskNeeded {
		return "", fmt.Errorf("%s; %d GiB are needed", detail, diskNeeded>>30)
	}
	return detail, nil
}
