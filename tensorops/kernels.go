package tensorops

/*
#include <stdlib.h>
#include "cblas.h"
*/
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// CoreVariable is the environment variable that overrules the choice of OpenBLAS's kernels, for example
// EPB_BLAS_CORE=Haswell.
const CoreVariable = "EPB_BLAS_CORE"

// core is a family of OpenBLAS kernels, under the name that OpenBLAS gives it.
type core struct {
	name string
	runs func() bool // whether this CPU has the instructions that it needs
}

// x86Cores lists the families that a user may ask for on x86-64, slowest first. OpenBLAS does not check the choice:
// kernels that the CPU cannot run crash the process at the first product.
var x86Cores = []core{
	{"Prescott", func() bool { return cpu.X86.HasSSE3 }},
	{"Nehalem", func() bool { return cpu.X86.HasSSE42 }},
	{"Sandybridge", func() bool { return cpu.X86.HasAVX }},
	{"Zen", hasAVX2},
	{"Haswell", hasAVX2},
	{"SkylakeX", hasAVX512},
}

func hasAVX2() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

func hasAVX512() bool {
	x := &cpu.X86
	return hasAVX2() && x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512CD && x.HasAVX512BW && x.HasAVX512VL
}

// FastestCore returns the family of kernels that suits the CPU best: SkylakeX if CPU and system offer AVX-512, Haswell
// if they offer AVX2 and FMA. Otherwise it returns "" and OpenBLAS's own choice stays.
//
// It asks the CPU, not OpenBLAS: a library that is older than the CPU takes it for one of the year 2004.
func FastestCore() string {
	switch {
	case hasAVX512():
		return "SkylakeX"
	case hasAVX2():
		return "Haswell"
	}
	return ""
}

// Core returns the name of the CPU family whose kernels OpenBLAS runs, such as SkylakeX. The choice is made when the
// program starts: the family that EPB_BLAS_CORE names, or else FastestCore.
func Core() string { return C.GoString(C.openblas_get_corename()) }

// Idle returns one sentence for a log or a user: which faster kernels this CPU could run, and why it does not run them.
// It returns "" if the fastest kernels run.
func Idle() string {
	fastest, runs := FastestCore(), Core()
	if fastest == "" || fastest == runs {
		return ""
	}
	why := "OpenBLAS has none for this CPU: install a build with DYNAMIC_ARCH, as Debian's libopenblas0 is"
	if wanted := os.Getenv(CoreVariable); wanted != "" {
		why = fmt.Sprintf(
			"%s=%s asks for it: unset it unless workers of several kinds have to agree", CoreVariable, wanted,
		)
	}
	return fmt.Sprintf("%s kernels run although this CPU could run %s; %s", runs, fastest, why)
}

// Check returns an error if EPB_BLAS_CORE names kernels that OpenBLAS does not have or that this CPU cannot run. In
// that case OpenBLAS's own choice stays.
func Check() error { return selected }

// selected is the error of the choice that is made when the program starts, or nil.
var selected = selectCore(os.Getenv(CoreVariable))

// selectCore makes OpenBLAS run the kernels of the family wanted, or those of FastestCore if wanted is empty.
func selectCore(wanted string) error {
	C.epb_blas_init()
	name := cmp.Or(wanted, FastestCore())
	if runtime.GOARCH == "amd64" && wanted != "" {
		i := slices.IndexFunc(x86Cores, func(c core) bool { return strings.EqualFold(c.name, wanted) })
		if i < 0 || !x86Cores[i].runs() {
			return coreError(wanted, x86Cores)
		}
		name = x86Cores[i].name
	}
	if name == "" || name == Core() {
		return nil
	}
	c := C.CString(name)
	defer C.free(unsafe.Pointer(c))
	C.epb_blas_select(c)
	if wanted != "" && !strings.EqualFold(Core(), name) {
		return coreError(wanted, x86Cores)
	}
	return nil
}

// coreError returns an error that says which of the families a user may ask for instead.
func coreError(wanted string, families []core) error {
	var names []string
	for _, c := range families {
		if c.runs() {
			names = append(names, c.name)
		}
	}
	text := fmt.Sprintf("%s is %q: %s has no such kernels for this CPU; unset it", CoreVariable, wanted, library())
	if len(names) > 0 {
		text += " or choose one of " + strings.Join(names, ", ")
	}
	return errors.New(text)
}

// library returns the name and version of the BLAS library, such as OpenBLAS 0.3.21.
func library() string {
	words := strings.Fields(C.GoString(C.openblas_get_config()))
	return strings.Join(words[:min(2, len(words))], " ")
}
