package tensorops

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// TestMain allows the test program to start itself again in another environment, because a program chooses its kernels
// when it starts.
func TestMain(m *testing.M) {
	switch os.Getenv("TENSOROPS_TEST_CHILD") {
	case "":
		os.Exit(m.Run())
	case "families": // for infra/kernels.sh and cpus.sh
		for _, c := range x86Cores {
			fmt.Println(c.name)
		}
		return
	}
	report := child{Identity: CurrentIdentity()}
	if err := Check(); err != nil {
		report.Refused = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(report); err != nil {
		os.Exit(1)
	}
}

// child is what a child process reports about its kernels.
type child struct {
	Identity Identity
	Refused  string
}

// under returns the report of a child. Of all variables for OpenBLAS and EPB, its environment has only the given
// settings.
func under(t *testing.T, settings ...string) child {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "OPENBLAS_") && !strings.HasPrefix(e, CoreVariable+"=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, append(settings, "TENSOROPS_TEST_CHILD=1")...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("child under %v: %v", settings, err)
	}
	var c child
	if err := json.Unmarshal(out, &c); err != nil {
		t.Fatalf("child under %v: %v in %q", settings, err, out)
	}
	return c
}

// The kernels are those that the CPU can run, even if OpenBLAS takes it for another CPU.
func TestKernelsFollowTheCPU(t *testing.T) {
	alone := under(t)
	if fastest := FastestCore(); fastest != "" && alone.Identity.Core != fastest {
		t.Errorf("the kernels are %s, the CPU runs %s", alone.Identity.Core, fastest)
	}
	if FastestCore() == "" {
		t.Skipf("this CPU has neither AVX-512 nor AVX2: OpenBLAS chooses, and chose %s", alone.Identity.Core)
	}
	for _, inherited := range []string{"Prescott", "Nehalem", "Haswell"} {
		if got := under(t, "OPENBLAS_CORETYPE="+inherited); got != alone {
			t.Errorf("OPENBLAS_CORETYPE=%s: %v, want %v", inherited, got, alone)
		}
	}
}

// EPB_BLAS_CORE overrules the CPU if the CPU can run the kernels that it names. Otherwise it is an error.
func TestCoreVariableOverrules(t *testing.T) {
	if FastestCore() == "" {
		t.Skip("families are known for x86-64 with AVX2 only")
	}
	for _, c := range x86Cores {
		given := strings.ToUpper(c.name) // case does not count
		got := under(t, CoreVariable+"="+given)
		if c.runs() && (got.Identity.Core != c.name || got.Refused != "") {
			t.Errorf("%s=%s: %+v", CoreVariable, c.name, got)
		}
		if !c.runs() && !strings.Contains(got.Refused, given) {
			t.Errorf("%s=%s, which this CPU cannot run, was not refused: %+v", CoreVariable, c.name, got)
		}
	}
	if got := under(t, CoreVariable+"=Unheard"); !strings.Contains(got.Refused, `"Unheard"`) ||
		!strings.Contains(got.Refused, "Haswell") {
		t.Errorf("an unknown family: %+v, want a refusal that names it and what there is", got)
	}
}

// The probe differs between families whose sums run in another order, and is the same in every process.
func TestProbeTellsFamiliesApart(t *testing.T) {
	if FastestCore() == "" {
		t.Skip("families are known for x86-64 with AVX2 only")
	}
	haswell, nehalem := under(t, CoreVariable+"=Haswell").Identity, under(t, CoreVariable+"=Nehalem").Identity
	if haswell.Probe == nehalem.Probe {
		t.Errorf("Haswell and Nehalem kernels share the probe %s", haswell.Probe)
	}
	if again := under(t, CoreVariable+"=Haswell").Identity; again != haswell {
		t.Errorf("%v, then %v", haswell, again)
	}
}

// The package's own kernels give the same bits on every CPU: their sums run in a fixed order, and no compiler may fuse
// a product with a sum. Only OpenBLAS differs from family to family.
func TestOwnKernelsHaveTheSameBitsEverywhere(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the recorded bits are those of amd64")
	}
	values, h := sequence(7), sha256.New()
	put := func(xs ...[]float32) {
		for _, x := range xs {
			_ = binary.Write(h, binary.LittleEndian, x) // a hash never fails
		}
	}
	for _, n := range []int{5, 16, 50, 101} {
		x, y, dx := values(7*n), make([]float32, 7*n), make([]float32, 7*n)
		Softmax(y, x, n)
		SoftmaxBackward(dx, y, x, n)
		put(y, dx)
	}
	const nodes, d = 21, 32
	x, residual, gamma, beta := values(2*nodes*d), values(2*nodes*d), values(d), values(d)
	y, xhat, rstd := make([]float32, len(x)), make([]float32, len(x)), make([]float32, 2*d)
	InstanceNorm(y, xhat, rstd, x, residual, gamma, beta, nodes, d)
	dz, dgamma, dbeta := make([]float32, len(x)), make([]float32, d), make([]float32, d)
	InstanceNormBackward(dz, dgamma, dbeta, xhat, rstd, gamma, x, nodes, d)
	put(y, xhat, rstd, dz, dgamma, dbeta)
	Affine(y, dz, x, residual, gamma, beta)
	AffineBackward(xhat, dgamma, dbeta, dz, gamma, x)
	put(y, dz, xhat, dgamma, dbeta)
	p, m, v, g := values(1003), make([]float32, 1003), make([]float32, 1003), values(1003)
	scale := float32(1 / (1 + SumSquares(g)))
	for step := range 3 {
		Adam(p, m, v, g, scale, 1e-3, step+1)
	}
	put(p)
	const want = "f9472a44ba2980b71fb07bac70a5254d6d9d61d832834e30de56f8bbb157845e"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("the results hash to %s, on other CPUs to %s", got, want)
	}
}

// TestCoreError: the error names the families that a user may ask for, if there are any.
func TestCoreError(t *testing.T) {
	some := []core{{"Old", func() bool { return true }}, {"New", func() bool { return false }}}
	for _, c := range []struct {
		families []core
		end      string
	}{{some, "; unset it or choose one of Old"}, {some[1:], "; unset it"}} {
		if text := coreError("Other", c.families).Error(); !strings.HasSuffix(text, c.end) {
			t.Errorf("%q, want it to end with %q", text, c.end)
		}
	}
}
