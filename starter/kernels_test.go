package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/epb-nco/epb/tensorops"
)

// doctor names the kernels and says where faster ones lie idle; every other command refuses kernels that there are not.
func TestCommandsNameTheKernels(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "epb")
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("build epb: %v\n%s", err, out)
	}
	epb := func(core string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), bin, args...)
		cmd.Env = append(os.Environ(), tensorops.CoreVariable+"="+core, "OPENBLAS_CORETYPE=Prescott")
		out, _ := cmd.CombinedOutput() // doctor fails without servers
		return string(out)
	}
	fastest := tensorops.FastestCore()
	if fastest == "" {
		t.Skip("families are known for x86-64 with AVX2 only")
	}
	if out := epb("", "doctor"); !strings.Contains(out, fastest+" kernels of OpenBLAS") {
		t.Errorf("doctor does not name the kernels %s:\n%s", fastest, out)
	}
	if out := epb("Nehalem", "doctor"); !strings.Contains(out,
		"Nehalem kernels run although this CPU could run "+fastest) {
		t.Errorf("doctor does not say that faster kernels lie idle:\n%s", out)
	}
	if out := epb("Unheard", "bank", "list"); !strings.Contains(out, `EPB_BLAS_CORE is "Unheard"`) {
		t.Errorf("kernels that there are not were not refused:\n%s", out)
	}
}
