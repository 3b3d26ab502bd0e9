package ffmpeg

import (
	"runtime"
	"syscall"
)

// attributes gives a process its own group, so that signals to the agent's group (Ctrl-C) leave its session to the
// agent, and ends it with the agent, also when that is killed.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func lockThread()   { runtime.LockOSThread() }
func unlockThread() { runtime.UnlockOSThread() }
