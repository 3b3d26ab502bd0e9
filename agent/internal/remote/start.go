package remote

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

	"fullhouse/agent/internal/link"
)

// Command is the word by which Start runs the agent's program again, detached.
const Command = "detached"

// startPatience is how long the detached agent may take until it listens.
const startPatience = 20 * time.Second

// StartConfig is what Start needs.
type StartConfig struct {
	// Program is the agent's own file.
	Program string
	// Home is the folder for what the agent keeps.
	Home string
	// Token for the new agent; one that runs already keeps its own.
	Token string
	// Version is the agent's own.
	Version string
	// Arguments follow `detached ROLE --home HOME`.
	Role      string
	Arguments []string
}

// Start makes sure that an agent runs in its home and returns its listening line. One that runs already is left alone when it
// is the same build, or plays; another build without viewers is replaced.
func Start(config StartConfig) (link.Listening, error) {
	if err := checkSystem(); err != nil {
		return link.Listening{}, err
	}
	home, err := Make(config.Home)
	if err != nil {
		return link.Listening{}, err
	}
	listening, err := start(home, config)
	if err != nil && home.made {
		home.removeIfEmpty() // a start that failed leaves nothing
	}
	return listening, err
}

func start(home Home, config StartConfig) (link.Listening, error) {
	release, err := home.lock()
	if err != nil {
		return link.Listening{}, err
	}
	defer release()
	state, err := home.readState()
	if err != nil {
		return link.Listening{}, err
	}
	if state != nil && isAgent(state.PID, home.Path) {
		stays, err := home.settle(*state, config)
		if err != nil {
			return link.Listening{}, err
		}
		if stays {
			return state.listening(), nil
		}
	}
	return home.run(config)
}

// settle decides about an agent that is there already: it stays, or has ended, or is in the way, which is a sentence.
func (h Home) settle(state State, config StartConfig) (stays bool, err error) {
	hash, err := hashOf(config.Program)
	if err != nil {
		return false, err
	}
	busy := 0
	err = call(state, func(ctx context.Context, c *caller) error {
		if state.SHA256 == hash {
			return nil
		}
		busy, err = c.busy(ctx)
		return err
	})
	switch {
	case err != nil && h.gone(state.PID, shutdownPatience): // it was about to end
		return false, nil
	case err != nil:
		return false, fmt.Errorf("an agent (process %d) runs in %s but does not answer (%w); end it with: fullhouse-agent stop --home %s", state.PID, h.Path, err, h.Path)
	case state.SHA256 == hash:
		return true, nil
	case busy > 0 && state.Agent == config.Version:
		return true, nil // another build of the same version: no reason to disturb who plays
	case busy > 0:
		return false, fmt.Errorf("an agent of version %s runs in %s and has %d viewers or publications; stop them before version %s takes its place", state.Agent, h.Path, busy, config.Version)
	}
	return false, h.end(state)
}

// run starts the program anew, away from this process's terminal, session and pipes, and waits until it listens.
func (h Home) run(config StartConfig) (link.Listening, error) {
	child := exec.Command(config.Program, append([]string{Command, config.Role, "--home", h.Path}, config.Arguments...)...)
	child.SysProcAttr = detached()
	child.Dir = h.Path
	child.Stdin = strings.NewReader(config.Token + "\n")
	output, theirOutput, err := os.Pipe()
	if err != nil {
		return link.Listening{}, fmt.Errorf("no pipe to the new agent: %w", err)
	}
	defer output.Close()
	complaints, theirComplaints, err := os.Pipe()
	if err != nil {
		return link.Listening{}, errors.Join(fmt.Errorf("no pipe to the new agent: %w", err), theirOutput.Close())
	}
	defer complaints.Close()
	child.Stdout, child.Stderr = theirOutput, theirComplaints
	err = child.Start()
	if err = errors.Join(err, theirOutput.Close(), theirComplaints.Close()); err != nil {
		return link.Listening{}, cannotRun(config.Program, err)
	}
	listening, heard := make(chan link.Listening, 1), make(chan error, 1)
	go func() {
		line, err := bufio.NewReader(output).ReadBytes('\n')
		var l link.Listening
		if err == nil {
			err = json.Unmarshal(line, &l)
		}
		if err != nil {
			heard <- err
			return
		}
		listening <- l
	}()
	select {
	case l := <-listening:
		// It is on its own from here: the system inherits it when we end.
		return l, child.Process.Release()
	case <-heard: // it ended, and its words say why
	case <-time.After(startPatience):
		_ = child.Process.Kill() // it may have ended at this very moment
		return link.Listening{}, errors.Join(fmt.Errorf("the agent did not start within %s", startPatience), ignoreExit(child.Wait()))
	}
	words, err := io.ReadAll(io.LimitReader(complaints, 16<<10))
	if err = errors.Join(err, ignoreExit(child.Wait())); err != nil {
		return link.Listening{}, fmt.Errorf("the agent did not start: %w", err)
	}
	if sentence := strings.TrimSpace(string(words)); sentence != "" {
		return link.Listening{}, errors.New(firstLine(sentence))
	}
	return link.Listening{}, fmt.Errorf("the agent ended at once and did not say why (%s)", child.ProcessState)
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// ignoreExit leaves out how a child ended that has said why, or that we killed.
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
			return fmt.Errorf("programs may not be run from %s, because %s is mounted with noexec; put the agent into a folder on another disk", program, point)
		}
		return fmt.Errorf("%s may not be run by this user (%w); make it executable, or choose another folder", program, reason(err))
	case errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.EAGAIN):
		return fmt.Errorf("this machine starts no further program (%w); it is out of memory or at its limit of processes", reason(err))
	}
	return fmt.Errorf("the agent's program %s can't be run: %w", program, err)
}
