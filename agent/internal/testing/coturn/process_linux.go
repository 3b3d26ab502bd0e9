package coturn

import "syscall"

// endsWithTest ends the server when the test's process is killed.
var endsWithTest = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
