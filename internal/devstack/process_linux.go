package devstack

import "syscall"

func detach(attached bool) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if attached {
		attr.Pdeathsig = syscall.SIGKILL
	}
	return attr
}
