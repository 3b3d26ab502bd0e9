package mediaservers

import "syscall"

// endsWithTest ends a server when the test's process is killed.
var endsWithTest = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
