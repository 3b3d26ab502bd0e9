package remote

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

	"fullhouse/agent/internal/link"
)

// Life is the detached agent's own side: it writes down where it is found and takes that away when it ends.
type Life struct {
	home  Home
	log   *boundedLog
	state State
}

// Begin is the first thing that a detached agent does.
func Begin(path string) (*Life, error) {
	signal.Ignore(syscall.SIGHUP) // the end of the terminal is none of ours
	home, err := Find(path)
	if err != nil {
		return nil, err
	}
	bounded, err := openLog(home.log(), mostLogBytes)
	if err != nil {
		return nil, troubled(home.Path, err)
	}
	// The last words of a crash would be lost with the pipe to who started us.
	if err := debug.SetCrashOutput(bounded.file, debug.CrashOptions{}); err != nil {
		return nil, fmt.Errorf("crashes can't be logged: %w", err)
	}
	return &Life{home: home, log: bounded}, nil
}

// Logger writes to the bounded log.
func (l *Life) Logger() *log.Logger {
	return log.New(l.log, "", log.Ldate|log.Ltime|log.LUTC|log.Lmsgprefix)
}

// Register writes agent.json for an agent that listens.
func (l *Life) Register(listening link.Listening, instance, token string) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the agent does not find its own program: %w", err)
	}
	hash, err := hashOf(program)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(l.log, "%s fullhouse-agent %s (process %d) listens at %s.\n", time.Now().UTC().Format("2006/01/02 15:04:05"),
		listening.Agent, listening.PID, listening.Address); err != nil {
		return troubled(l.home.Path, err)
	}
	l.state = State{PID: listening.PID, Address: listening.Address, Token: token, Instance: instance, Protocol: listening.Protocol,
		Agent: listening.Agent, Role: listening.Role, SHA256: hash, StartedMs: time.Now().UnixMilli(), Warnings: listening.Warnings}
	return l.home.writeState(l.state)
}

// End removes what Register and the log made, unless another agent has taken the place by now. An agent that was found by
// others and then ended by a fault leaves both, so that `status` can tell its last words.
func (l *Life) End(fault error) error {
	if fault != nil && l.state.PID != 0 {
		l.Logger().Print(fault)
		return errors.Join(fault, l.log.file.Close())
	}
	err := errors.Join(fault, debug.SetCrashOutput(nil, debug.CrashOptions{}), l.log.file.Close())
	state, readErr := l.home.readState()
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	if state != nil && state.Instance != l.state.Instance {
		return err
	}
	return errors.Join(err, l.home.remove())
}

// hashOf is the SHA-256 of a file in hexadecimal digits.
func hashOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("the program %s can't be read: %w", path, err)
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("the program %s can't be read: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
