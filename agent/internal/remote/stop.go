package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
	// shutdownPatience is a little more than a shutting-down agent gives its viewers to leave.
	shutdownPatience = 13 * time.Second
	killPatience     = 5 * time.Second
	aliveEvery       = 20 * time.Millisecond
)

// Stop ends the agent of a home, properly when it listens, and removes what it kept. No agent there is as good.
func Stop(path string) error {
	if err := checkSystem(); err != nil {
		return err
	}
	home, err := Find(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	release, err := home.lock()
	if err != nil {
		return err
	}
	defer release()
	state, err := home.readState()
	if err == nil && state != nil {
		err = home.end(*state)
	} else {
		err = nil // a damaged agent.json goes with all the rest
	}
	// One that lost its agent.json is found by its command line.
	for _, pid := range agentsIn(home.Path) {
		err = errors.Join(err, home.insist(pid))
	}
	if err != nil {
		return err
	}
	return home.remove()
}

// end asks, then insists.
func (h Home) end(state State) error {
	if !isAgent(state.PID, h.Path) {
		return nil
	}
	asked := call(state, func(ctx context.Context, c *caller) error { return c.ask(ctx, "shutdown", struct{}{}, &struct{}{}) })
	if asked == nil && h.gone(state.PID, shutdownPatience) {
		return nil
	}
	return h.insist(state.PID)
}

// insist ends a process by signals, which go to it only as long as it is still an agent of this home.
func (h Home) insist(pid int) error {
	for _, step := range []struct {
		signal   syscall.Signal
		patience time.Duration
	}{{syscall.SIGTERM, shutdownPatience}, {syscall.SIGKILL, killPatience}} {
		if !isAgent(pid, h.Path) {
			return nil
		}
		process, err := os.FindProcess(pid)
		if err != nil {
			return fmt.Errorf("the agent (process %d) can't be ended: %w", pid, err)
		}
		if err := process.Signal(step.signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("the agent (process %d) can't be ended: %w", pid, err)
		}
		if h.gone(pid, step.patience) {
			return nil
		}
	}
	return fmt.Errorf("the agent (process %d) does not end, not even when killed; it may hang in a disk that does not answer", pid)
}

// gone waits until the process is no more.
func (h Home) gone(pid int, patience time.Duration) bool {
	for deadline := time.Now().Add(patience); isAgent(pid, h.Path); time.Sleep(aliveEvery) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
