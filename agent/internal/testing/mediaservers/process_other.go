//go:build !linux

package mediaservers

import "syscall"

var endsWithTest *syscall.SysProcAttr
