//go:build !linux

package coturn

import "syscall"

var endsWithTest *syscall.SysProcAttr
