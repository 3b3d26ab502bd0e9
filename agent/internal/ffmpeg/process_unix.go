//go:build unix

package ffmpeg

import "syscall"

// interrupt asks the process to end; false if it has ended.
func (p *Process) interrupt() bool { return p.signal(syscall.SIGTERM) }

func (p *Process) kill() { p.signal(syscall.SIGKILL) }

// signal signals the process itself: ffmpeg starts no others. After its end it does nothing.
func (p *Process) signal(signal syscall.Signal) bool { return p.command.Process.Signal(signal) == nil }
