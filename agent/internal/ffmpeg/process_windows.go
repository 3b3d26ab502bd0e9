package ffmpeg

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }

func lockThread()   {}
func unlockThread() {}

// interrupt is not possible without a console.
func (p *Process) interrupt() bool { return false }

func (p *Process) kill() { _ = p.command.Process.Kill() }
