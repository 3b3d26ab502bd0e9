package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/daemon"
	"fullhouse/agent/internal/protocol"
)

// detachedFlags are the flags of `start` that are passed on to the detached agent.
type detachedFlags struct {
	stateDir               string
	idleTimeout, exitAfter time.Duration
	samples                string
	memory                 *uint // MB; 0 for the default
}

func (l *detachedFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&l.stateDir, "state-dir", "", "state `folder` of the agent; created if missing")
	flags.DurationVar(&l.idleTimeout, "idle-timeout", 120*time.Second, "disconnect all viewers after this time without a console")
	flags.DurationVar(&l.exitAfter, "exit-after", 15*time.Minute, "exit after this time without a console")
	l.memory = memoryFlag(flags)
	flags.StringVar(&l.samples, "samples", "", "`folder` with the sample files")
}

func (l *detachedFlags) check() error {
	if l.stateDir == "" {
		return errors.New("--state-dir FOLDER is missing: the folder for the agent's state")
	}
	if err := aboveZero("--idle-timeout", l.idleTimeout); err != nil {
		return err
	}
	return exitsAfterIdle(l.idleTimeout, l.exitAfter)
}

// parseDetached parses `audience --state-dir …`.
func parseDetached(command string, arguments []string, errors io.Writer) (detachedFlags, error) {
	var l detachedFlags
	if len(arguments) == 0 || arguments[0] != "audience" {
		return l, fmt.Errorf("no role; usage: fullhouse-agent %s audience --state-dir FOLDER", command)
	}
	flags := flagsOf(command+" audience", errors)
	l.register(flags)
	if err := parse(flags, arguments[1:]); err != nil {
		return l, err
	}
	return l, l.check()
}

// start makes sure that an agent runs in its state directory, and prints its address.
func start(arguments []string, input io.Reader, output, errors io.Writer) error {
	l, err := parseDetached("start", arguments, errors)
	if err != nil {
		return err
	}
	token, err := control.ReadToken(input)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the agent's own program was not found: %w", err)
	}
	forwarded := []string{"--idle-timeout", l.idleTimeout.String(), "--exit-after", l.exitAfter.String()}
	if *l.memory != 0 {
		forwarded = append(forwarded, "--memory-limit", fmt.Sprint(*l.memory))
	}
	if l.samples != "" {
		samples, err := filepath.Abs(l.samples) // the detached agent has another working directory
		if err != nil {
			return fmt.Errorf("the folder %s is not usable: %w", l.samples, err)
		}
		forwarded = append(forwarded, "--samples", samples)
	}
	listening, err := daemon.Start(daemon.StartConfig{Program: program, StateDir: l.stateDir, Token: token,
		Version: version, Role: "audience", Arguments: forwarded})
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(listening)
}

// serveDetached is the process that `start` launches: it serves the audience independent of the session that started
// it.
func serveDetached(arguments []string, input io.Reader, output, errorOutput io.Writer) (err error) {
	l, err := parseDetached(daemon.Command, arguments, errorOutput)
	if err != nil {
		return err
	}
	token, err := control.ReadToken(input)
	if err != nil {
		return err
	}
	detached, err := daemon.Open(l.stateDir)
	if err != nil {
		return err
	}
	defer func() { err = detached.Close(err) }()
	return service{build: audienceIn(l.samples, "", *l.memory), token: token, listen: "127.0.0.1:0",
		idleTimeout: l.idleTimeout, exitAfter: l.exitAfter, log: detached.Logger(),
		ready: func(server *control.Server, listening protocol.AgentListening) error {
			return detached.Register(listening, server.Instance(), token)
		}}.serve(output)
}

func stateDirOf(command string, arguments []string, errors io.Writer) (string, error) {
	flags := flagsOf(command, errors)
	dir := flags.String("state-dir", "", "`folder` that the agent was started with")
	if err := parse(flags, arguments); err != nil {
		return "", err
	}
	if *dir == "" {
		return "", fmt.Errorf("--state-dir is missing; usage: fullhouse-agent %s --state-dir FOLDER", command)
	}
	return *dir, nil
}

// status prints agent.json and whether its agent is running.
func status(arguments []string, output, errors io.Writer) error {
	dir, err := stateDirOf("status", arguments, errors)
	if err != nil {
		return err
	}
	current, err := daemon.ReadStatus(dir)
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(current)
}

// stop ends the agent of a state directory and removes its files.
func stop(arguments []string, errors io.Writer) error {
	dir, err := stateDirOf("stop", arguments, errors)
	if err != nil {
		return err
	}
	return daemon.Stop(dir)
}
