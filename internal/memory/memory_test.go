package memory

import (
	"runtime"
	"testing"
)

func TestParse(t *testing.T) {
	const info = "MemTotal:       24684020 kB\nMemFree:          193140 kB\nMemAvailable:   11572064 kB\n" +
		"HugePages_Total:  0\n"
	for name, want := range map[string]int64{"MemTotal": 24684020 << 10, "MemAvailable": 11572064 << 10} {
		if got, ok := parse(info, name); got != want || !ok {
			t.Errorf("%s: %d, %v; want %d", name, got, ok, want)
		}
	}
	for _, name := range []string{"Mem", "Available", "HugePages_Total"} {
		if got, ok := parse(info, name); ok {
			t.Errorf("%s: %d, want nothing", name, got)
		}
	}
}

func TestThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not say")
	}
	total, ok := Total()
	available, also := Available()
	if !ok || !also || available < 1 || available > total {
		t.Errorf("%d of %d bytes are available (%v, %v)", available, total, also, ok)
	}
}
