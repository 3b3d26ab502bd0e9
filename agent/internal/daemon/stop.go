package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"fullhouse/agent/internal/protocol"
)

const (
	// shutdownTimeout is slightly more than the time in which a shutting-down agent disconnects its viewers.
	shutdownTimeout = 13 * time.Second
	killTimeout     = 5 * time.Second
	aliveEvery      = 20 * time.Millisecond
)

// Stop ends the agent of a state directory, properly if it listens, and removes its files. A missing agent is no error.
func Stop(path string) error {
	if err := checkSystem(); err != nil {
		return err
	}
	dir, err := OpenStateDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	release, err := dir.lock()
	if err != nil {
		return err
	}
	defer release()
	state, err := dir.readState()
	if err == nil && state != nil {
		err = dir.end(*state)
	} else {
		err = nil // a damaged agent.json is removed with the rest
	}
	// An agent that lost its agent.json is found by its command line.
	for _, pid := range agentsIn(dir.Path) {
		err = errors.Join(err, dir.kill(pid))
	}
	if err != nil {
		return err
	}
	return dir.remove()
}

// end requests a shutdown, then forces it.
func (d StateDir) end(state protocol.AgentState) error {
	if !isAgent(state.PID, d.Path) {
		return nil
	}
	requestErr := call(state, func(ctx context.Context, c *client) error {
		return c.callMethod(ctx, "shutdown", struct{}{}, &struct{}{})
	})
	if requestErr == nil && d.waitExit(state.PID, shutdownTimeout) {
		return nil
	}
	return d.kill(state.PID)
}

// kill ends a process by signals, as long as it is still an agent of this directory.
func (d StateDir) kill(pid int) error {
	for _, step := range []struct {
		signal  syscall.Signal
		timeout time.Duration
	}{{syscall.SIGTERM, shutdownTimeout}, {syscall.SIGKILL, killTimeout}} {
		if !isAgent(pid, d.Path) {
			return nil
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			return fmt.Errorf("ending the agent (process %d) failed: %w", pid, err)
		}
		if err := process.Signal(step.signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("ending the agent (process %d) failed: %w", pid, err)
		}
		if d.waitExit(pid, step.timeout) {
			return nil
		}
	}
	return fmt.Errorf("the agent (process %d) does not exit even when killed; it may be blocked by a disk that does not respond", pid)
}

// waitExit waits until the process has exited.
func (d StateDir) waitExit(pid int, timeout time.Duration) bool {
	for deadline := time.Now().Add(timeout); isAgent(pid, d.Path); time.Sleep(aliveEvery) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
