package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"fullhouse/agent/internal/childprocess"
	"fullhouse/agent/internal/protocol"
)

// Command is the command by which Start runs the agent's program again, detached.
const Command = "detached"

// startTimeout is how long the detached agent may take until it listens.
const startTimeout = 20 * time.Second

// StartConfig is the configuration of Start.
type StartConfig struct {
	// Program is the agent's own file.
	Program string
	// StateDir is the folder for the agent's files.
	StateDir string
	// Token for the new agent; a running one keeps its own.
	Token string
	// Version is the agent's own.
	Version string
	// Arguments follow `detached ROLE --state-dir DIR`.
	Role      string
	Arguments []string
}

// Start makes sure that an agent runs in its state directory and returns its listening line. A running one is kept if
// it is the same build, or active; an idle agent of another build is replaced.
func Start(config StartConfig) (protocol.AgentListening, error) {
	if err := checkSystem(); err != nil {
		return protocol.AgentListening{}, err
	}
	dir, err := CreateStateDir(config.StateDir)
	if err != nil {
		return protocol.AgentListening{}, err
	}
	listening, err := start(dir, config)
	if err != nil && dir.made {
		dir.removeIfEmpty() // a failed start leaves nothing
	}
	return listening, err
}

func start(dir StateDir, config StartConfig) (protocol.AgentListening, error) {
	release, err := dir.lock()
	if err != nil {
		return protocol.AgentListening{}, err
	}
	defer release()
	state, err := dir.readState()
	if err != nil {
		return protocol.AgentListening{}, err
	}
	if state != nil && isAgent(state.PID, dir.Path) {
		stays, err := dir.resolveExisting(*state, config)
		if err != nil {
			return protocol.AgentListening{}, err
		}
		if stays {
			return listeningOf(*state), nil
		}
	}
	return dir.run(config)
}

// resolveExisting handles an existing agent: it stays, or has ended, or is in the way, which is an error.
func (d StateDir) resolveExisting(state protocol.AgentState, config StartConfig) (stays bool, err error) {
	hash, err := hashOf(config.Program)
	if err != nil {
		return false, err
	}
	busy := 0
	err = call(state, func(ctx context.Context, c *client) error {
		if state.SHA256 == hash {
			return nil
		}
		busy, err = c.busy(ctx)
		return err
	})
	switch {
	case err != nil && d.waitExit(state.PID, shutdownTimeout): // it was about to end
		return false, nil
	case err != nil:
		return false, fmt.Errorf("an agent (process %d) runs in %s but does not respond (%w); stop it with: fullhouse-agent stop --state-dir %s", state.PID, d.Path, err, d.Path)
	case state.SHA256 == hash:
		return true, nil
	case busy > 0 && state.Agent == config.Version:
		return true, nil // another build of the same version: no reason to disturb active viewers
	case busy > 0:
		return false, fmt.Errorf("an agent of version %s runs in %s and has %d viewers or publications; stop them to replace it with version %s", state.Agent, d.Path, busy, config.Version)
	}
	return false, d.end(state)
}

// run starts the program again, detached from this process's terminal, session and pipes, and waits until it listens.
func (d StateDir) run(config StartConfig) (protocol.AgentListening, error) {
	child := childprocess.Command(config.Program, append([]string{Command, config.Role, "--state-dir", d.Path}, config.Arguments...)...)
	child.SysProcAttr = detached()
	child.Dir = d.Path
	child.Stdin = strings.NewReader(config.Token + "\n")
	output, theirOutput, err := os.Pipe()
	if err != nil {
		return protocol.AgentListening{}, fmt.Errorf("creating a pipe to the new agent failed: %w", err)
	}
	defer output.Close()
	errorOutput, theirErrorOutput, err := os.Pipe()
	if err != nil {
		return protocol.AgentListening{}, errors.Join(fmt.Errorf("creating a pipe to the new agent failed: %w", err),
			theirOutput.Close())
	}
	defer errorOutput.Close()
	child.Stdout, child.Stderr = theirOutput, theirErrorOutput
	err = child.Start()
	if err = errors.Join(err, theirOutput.Close(), theirErrorOutput.Close()); err != nil {
		return protocol.AgentListening{}, cannotRun(config.Program, err)
	}
	listening, received := make(chan protocol.AgentListening, 1), make(chan error, 1)
	go func() {
		line, err := bufio.NewReader(output).ReadBytes('\n')
		var l protocol.AgentListening
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err != nil {
			received <- err
			return
		}
		listening <- l
	}()
	select {
	case l := <-listening:
		// From here on it is independent: the system inherits it when we exit.
		return l, child.Process.Release()
	case <-received: // it exited, and its output is the reason
	case <-time.After(startTimeout):
		_ = child.Process.Kill() // it may have exited just now
		return protocol.AgentListening{}, errors.Join(fmt.Errorf("the agent did not start within %s", startTimeout),
			ignoreExit(child.Wait()))
	}
	text, err := io.ReadAll(io.LimitReader(errorOutput, 16<<10))
	if err = errors.Join(err, ignoreExit(child.Wait())); err != nil {
		return protocol.AgentListening{}, fmt.Errorf("the agent did not start: %w", err)
	}
	if sentence := strings.TrimSpace(string(text)); sentence != "" {
		return protocol.AgentListening{}, errors.New(firstLine(sentence))
	}
	return protocol.AgentListening{}, fmt.Errorf("the agent exited at once without a message (%s)", child.ProcessState)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// ignoreExit drops the exit status of a child that has reported its reason, or that we killed.
func ignoreExit(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

// cannotRun explains why the system does not run the program.
func cannotRun(program string, err error) error {
	switch {
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		if point, noexec := mountOf(program); noexec {
			return fmt.Errorf("programs can't be started from %s: %s is mounted with noexec; put the agent into a folder on another disk", program, point)
		}
		return fmt.Errorf("%s can't be started by this user (%w); make it executable, or choose another folder", program, reason(err))
	case errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.EAGAIN):
		return fmt.Errorf("this machine can't start another process (%w): it is out of memory or at its limit of processes", reason(err))
	}
	return fmt.Errorf("the agent's program %s can't be started: %w", program, err)
}
