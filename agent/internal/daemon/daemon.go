package daemon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"fullhouse/agent/internal/protocol"
)

// Process is the detached agent's own side: it writes its state file and removes it when it ends.
type Process struct {
	dir   StateDir
	log   *boundedLog
	state protocol.AgentState
}

// Open is the first call of a detached agent.
func Open(path string) (*Process, error) {
	signal.Ignore(syscall.SIGHUP) // the end of the terminal does not matter
	dir, err := OpenStateDir(path)
	if err != nil {
		return nil, err
	}
	bounded, err := openLog(dir.log(), maxLogBytes)
	if err != nil {
		return nil, stateDirError(dir.Path, err)
	}
	// The last output of a crash would be lost with the pipe to the parent.
	if err := debug.SetCrashOutput(bounded.file, debug.CrashOptions{}); err != nil {
		return nil, fmt.Errorf("setting up the crash log failed: %w", err)
	}
	return &Process{dir: dir, log: bounded}, nil
}

// Logger writes to the bounded log.
func (p *Process) Logger() *log.Logger {
	return log.New(p.log, "", log.Ldate|log.Ltime|log.LUTC|log.Lmsgprefix)
}

// Register writes agent.json for an agent that listens.
func (p *Process) Register(listening protocol.AgentListening, instance, token string) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the agent's own program was not found: %w", err)
	}
	hash, err := hashOf(program)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(p.log, "%s fullhouse-agent %s (process %d) listens at %s.\n", time.Now().UTC().Format("2006/01/02 15:04:05"),
		listening.Agent, listening.PID, listening.Address); err != nil {
		return stateDirError(p.dir.Path, err)
	}
	p.state = protocol.AgentState{PID: listening.PID, Address: listening.Address, Token: token, Instance: instance,
		Protocol: listening.Protocol, Agent: listening.Agent, Role: listening.Role, SHA256: hash,
		StartedMs: time.Now().UnixMilli(), Warnings: listening.Warnings}
	return p.dir.writeState(p.state)
}

// Close removes what Register and the log created, unless another agent has replaced it by now. After a failure of a
// registered agent both stay, so that `status` can report its last line.
func (p *Process) Close(fault error) error {
	if fault != nil && p.state.PID != 0 {
		p.Logger().Print(fault)
		return errors.Join(fault, p.log.file.Close())
	}
	err := errors.Join(fault, debug.SetCrashOutput(nil, debug.CrashOptions{}), p.log.file.Close())
	state, readErr := p.dir.readState()
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	if state != nil && state.Instance != p.state.Instance {
		return err
	}
	return errors.Join(err, p.dir.remove())
}

// hashOf is the SHA-256 of a file in hexadecimal digits.
func hashOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("reading the program %s failed: %w", path, err)
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("reading the program %s failed: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
