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

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/remote"
)

// life are the flags that `start` takes and hands on to the detached agent.
type life struct {
	home        string
	alone, keep time.Duration
	samples     string
}

func (l *life) register(flags *flag.FlagSet) {
	flags.StringVar(&l.home, "home", "", "`folder` for what the agent keeps; it is made when it is not there")
	flags.DurationVar(&l.alone, "alone", 120*time.Second, "disconnect all viewers when no console called for this long")
	flags.DurationVar(&l.keep, "keep", 15*time.Minute, "end when no console called for this long")
	flags.StringVar(&l.samples, "samples", "", "`folder` with the sample files")
}

func (l *life) check() error {
	if l.home == "" {
		return errors.New("say where the agent keeps its files with --home FOLDER")
	}
	if err := aboveZero("--alone", l.alone); err != nil {
		return err
	}
	if l.keep < l.alone {
		return fmt.Errorf("--keep (%s) must not be shorter than --alone (%s), or the agent ends before its viewers are sent home", l.keep, l.alone)
	}
	return nil
}

// roleAndLife reads `audience --home …`.
func roleAndLife(command string, arguments []string, errors io.Writer) (life, error) {
	var l life
	if len(arguments) == 0 || arguments[0] != "audience" {
		return l, fmt.Errorf("say which role to start: fullhouse-agent %s audience --home FOLDER", command)
	}
	flags := flagsOf(command+" audience", errors)
	l.register(flags)
	if err := parse(flags, arguments[1:]); err != nil {
		return l, err
	}
	return l, l.check()
}

// start makes sure that an agent runs in its home, and prints where it listens.
func start(arguments []string, input io.Reader, output, errors io.Writer) error {
	l, err := roleAndLife("start", arguments, errors)
	if err != nil {
		return err
	}
	token, err := link.ReadToken(input)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("the agent does not find its own program: %w", err)
	}
	handedOn := []string{"--alone", l.alone.String(), "--keep", l.keep.String()}
	if l.samples != "" {
		samples, err := filepath.Abs(l.samples) // the detached agent has another working directory
		if err != nil {
			return fmt.Errorf("the folder %s can't be used: %w", l.samples, err)
		}
		handedOn = append(handedOn, "--samples", samples)
	}
	listening, err := remote.Start(remote.StartConfig{Program: program, Home: l.home, Token: token, Version: version, Role: "audience", Arguments: handedOn})
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(listening)
}

// serveDetached is what `start` runs: it serves the audience away from whoever started it.
func serveDetached(arguments []string, input io.Reader, output, complaints io.Writer) (err error) {
	l, err := roleAndLife(remote.Command, arguments, complaints)
	if err != nil {
		return err
	}
	token, err := link.ReadToken(input)
	if err != nil {
		return err
	}
	living, err := remote.Begin(l.home)
	if err != nil {
		return err
	}
	defer func() { err = living.End(err) }()
	return service{build: audienceIn(l.samples, ""), token: token, listen: "127.0.0.1:0", alone: l.alone, keep: l.keep, log: living.Logger(),
		ready: func(server *link.Server, listening link.Listening) error {
			return living.Register(listening, server.Instance(), token)
		}}.serve(output)
}

func homeOf(command string, arguments []string, errors io.Writer) (string, error) {
	flags := flagsOf(command, errors)
	home := flags.String("home", "", "`folder` that the agent was started with")
	if err := parse(flags, arguments); err != nil {
		return "", err
	}
	if *home == "" {
		return "", fmt.Errorf("say which agent is meant: fullhouse-agent %s --home FOLDER", command)
	}
	return *home, nil
}

// status prints what agent.json says and whether its agent lives.
func status(arguments []string, output, errors io.Writer) error {
	home, err := homeOf("status", arguments, errors)
	if err != nil {
		return err
	}
	told, err := remote.ReadStatus(home)
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(told)
}

// stop ends the agent of a home and removes what it kept.
func stop(arguments []string, errors io.Writer) error {
	home, err := homeOf("stop", arguments, errors)
	if err != nil {
		return err
	}
	return remote.Stop(home)
}
