package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/protocol"
)

// setup is what a role is built with.
type setup struct {
	records   *control.Records
	openFiles uint64
	log       *log.Logger
}

// builder makes the role once its flags are parsed.
type builder func(setup) (control.Role, error)

// roles are the commands that serve; each registers its own flags.
var roles = map[string]func(*flag.FlagSet) builder{
	"audience": audienceRole,
	"lab":      labRole,
}

// lowOpenFiles is a limit worth a warning: an audience of a thousand needs more.
const lowOpenFiles = 4096

// errSignalled is the end by a signal, after everything was closed in order. Its exit code is not 0: a container that
// is evicted has not completed its work.
var errSignalled = errors.New("ended by a signal")

// service is one role to serve.
type service struct {
	build                  builder
	token                  string
	listen                 string
	idleTimeout, exitAfter time.Duration
	exitWhenIdle           bool
	log                    *log.Logger
	// ready is called with the line to print, before it is printed.
	ready func(server *control.Server, listening protocol.AgentListening) error
}

// serveAttached serves as a child of the engine.
func serveAttached(name string, arguments []string, input io.Reader, output, errorOutput io.Writer) error {
	role, known := roles[name]
	if !known {
		return fmt.Errorf("unknown command %q; %s", name, commandsSentence)
	}
	flags := flagsOf(name, errorOutput)
	s := service{log: log.New(errorOutput, "", 0)}
	flags.StringVar(&s.listen, "listen", "127.0.0.1:0", "loopback `address` for the engine's WebSocket")
	flags.DurationVar(&s.idleTimeout, "idle-timeout", 10*time.Second, "disconnect all viewers after this time without a console")
	flags.BoolVar(&s.exitWhenIdle, "exit-when-idle", false, "then exit")
	flags.DurationVar(&s.exitAfter, "exit-after", 0, "exit after this time without a console; 0: never")
	tokenFile := flags.String("token-file", "", "`file` with the token; default: the first line of standard input")
	s.build = role(flags)
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := aboveZero("--idle-timeout", s.idleTimeout); err != nil {
		return err
	}
	if s.exitAfter != 0 {
		if err := exitsAfterIdle(s.idleTimeout, s.exitAfter); err != nil {
			return err
		}
	}
	var err error
	if *tokenFile == "" {
		s.token, err = control.ReadToken(input)
	} else {
		s.token, err = control.ReadTokenFile(*tokenFile)
	}
	if err != nil {
		return err
	}
	return s.serve(output)
}

// serve builds the role, prints the listening line and serves until the end.
func (s service) serve(output io.Writer) error {
	openFiles, err := process.RaiseOpenFiles()
	if err != nil {
		s.log.Printf("The limit of open files was not raised from %d: %v.", openFiles, err)
	}
	records := control.NewRecords(control.KeptRecords, monotonic.Now)
	role, err := s.build(setup{records: records, openFiles: openFiles, log: s.log})
	if err != nil {
		return err
	}
	server, err := control.Listen(control.Config{Role: role, Records: records, Version: version, Token: s.token, Listen: s.listen,
		IdleTimeout: s.idleTimeout, ExitWhenIdle: s.exitWhenIdle, ExitAfter: s.exitAfter, OpenFiles: openFiles, Log: s.log})
	if err != nil {
		_ = role.Close() // Listen's error is the one to report
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listening := server.Listening()
	if openFiles != 0 && openFiles < lowOpenFiles {
		listening.Warnings = append(listening.Warnings, fmt.Sprintf("The open files limit of this user is %d, "+
			"enough for %d viewers. Raise the hard limit as an administrator, for example with \"nofile\" in /etc/security/limits.conf.",
			openFiles, role.Announcement().Viewers))
	}
	if s.ready != nil {
		if err := s.ready(server, listening); err != nil {
			_ = role.Close() // the error is reported already
			return err
		}
	}
	if err := json.NewEncoder(output).Encode(listening); err != nil {
		_ = role.Close() // the error is reported already
		return fmt.Errorf("writing to standard output failed: %w", err)
	}
	if err := server.Serve(ctx); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errSignalled
	}
	return nil
}
