//go:build unix && !linux

package devstack

import "syscall"

func detach(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
