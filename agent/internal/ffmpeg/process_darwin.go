package ffmpeg

import "syscall"

// attributes gives a process its own group. When the agent is killed, its end is that of the pipe that it writes to.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func lockThread()   {}
func unlockThread() {}
