// Package process tells a process of this machine from a later one that got the same pid.
package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
)

// Born identifies a live process beyond its pid, by boot and start time. It is empty for one that has ended.
func Born(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) && !procfs() {
		out, _ := exec.Command("ps", "-o", "lstart=", "-p", fmt.Sprint(pid)).Output()
		return strings.TrimSpace(string(out))
	}
	if err != nil {
		return ""
	}
	// The line is: pid (name) state ppid …. The name may hold anything, so fields are counted from its last
	// parenthesis. Field 22 of the line, the 20th after the name, is the start.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(boot)) + "/" + fields[19]
}

func procfs() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}
