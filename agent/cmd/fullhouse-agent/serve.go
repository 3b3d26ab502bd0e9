package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/steady"
)

// setup is what a role gets to build itself with.
type setup struct {
	records   *link.Records
	openFiles uint64
	log       *log.Logger
}

// builder makes the role once the flags it registered are parsed.
type builder func(setup) (link.Role, error)

// roles are the commands that serve; each registers the flags of its own.
var roles = map[string]func(*flag.FlagSet) builder{
	"audience": audienceRole,
	"lab":      labRole,
}

// fewOpenFiles is a limit worth a warning: an audience of a thousand needs more.
const fewOpenFiles = 4096

// service is one role to be served.
type service struct {
	build         builder
	token         string
	listen        string
	alone, keep   time.Duration
	exitWhenAlone bool
	log           *log.Logger
	// ready is called with the line to print, before it is printed.
	ready func(server *link.Server, listening link.Listening) error
}

// serveAttached serves as a child of the engine.
func serveAttached(name string, arguments []string, input io.Reader, output, errors io.Writer) error {
	role, known := roles[name]
	if !known {
		return fmt.Errorf("there is no command %q; %s", name, commandsSentence)
	}
	flags := flagsOf(name, errors)
	s := service{log: log.New(errors, "", 0)}
	flags.StringVar(&s.listen, "listen", "127.0.0.1:0", "loopback `address` for the engine's WebSocket")
	flags.DurationVar(&s.alone, "alone", 10*time.Second, "disconnect all viewers when no console called for this long")
	flags.BoolVar(&s.exitWhenAlone, "exit-when-alone", false, "and then end")
	s.build = role(flags)
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := aboveZero("--alone", s.alone); err != nil {
		return err
	}
	var err error
	if s.token, err = link.ReadToken(input); err != nil {
		return err
	}
	return s.serve(output)
}

// serve builds the role, prints the listening line and answers until the end.
func (s service) serve(output io.Writer) error {
	openFiles, err := process.RaiseOpenFiles()
	if err != nil {
		s.log.Printf("The limit of open files stays at %d: %v.", openFiles, err)
	}
	records := link.NewRecords(link.KeptRecords, steady.Now)
	player, err := s.build(setup{records: records, openFiles: openFiles, log: s.log})
	if err != nil {
		return err
	}
	server, err := link.Listen(link.Config{Role: player, Records: records, Version: version, Token: s.token, Listen: s.listen,
		Alone: s.alone, ExitWhenAlone: s.exitWhenAlone, Keep: s.keep, OpenFiles: openFiles, Log: s.log})
	if err != nil {
		_ = player.Close() // the reason to end is the listener's
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listening := server.Listening()
	if openFiles != 0 && openFiles < fewOpenFiles {
		listening.Warnings = append(listening.Warnings, fmt.Sprintf("This machine allows this user %d open files, enough for %d viewers; an administrator raises the hard limit, for example with \"nofile\" in /etc/security/limits.conf.",
			openFiles, player.Announcement().Viewers))
	}
	if s.ready != nil {
		if err := s.ready(server, listening); err != nil {
			_ = player.Close() // the reason to end is told already
			return err
		}
	}
	if err := json.NewEncoder(output).Encode(listening); err != nil {
		_ = player.Close() // the reason to end is told already
		return fmt.Errorf("standard output can't be written: %w", err)
	}
	return server.Serve(ctx)
}
