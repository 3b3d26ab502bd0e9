// Command fullhouse-agent plays one role on a machine for the engine that calls it: the audience, or the lab.
// docs/agent-protocol.md says how it is started and spoken to.
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
	"strings"
	"syscall"
	"time"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "0.1.0"

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

func main() {
	// The engine may die first and take our standard error with it; who then complains must not be ended for it,
	// before everybody was sent home.
	signal.Ignore(syscall.SIGPIPE)
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(arguments []string, input io.Reader, output, errors io.Writer) error {
	if len(arguments) == 0 {
		return fmt.Errorf("say what to do: fullhouse-agent audience | lab | version")
	}
	if arguments[0] == "version" {
		_, err := fmt.Fprintln(output, version)
		return err
	}
	role, known := roles[arguments[0]]
	if !known {
		return fmt.Errorf("there is no role %q; say fullhouse-agent audience | lab | version", arguments[0])
	}
	flags := flag.NewFlagSet("fullhouse-agent "+arguments[0], flag.ContinueOnError)
	flags.SetOutput(errors)
	listen := flags.String("listen", "127.0.0.1:0", "loopback `address` for the engine's WebSocket")
	alone := flags.Duration("alone", 10*time.Second, "send everybody home when nobody called for this long")
	exitWhenAlone := flags.Bool("exit-when-alone", false, "and then end")
	build := role(flags)
	if err := flags.Parse(arguments[1:]); err != nil {
		return fmt.Errorf("the arguments can't be used: %w", err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s is no option of %s", strings.Join(flags.Args(), " "), flags.Name())
	}
	if *alone <= 0 {
		return fmt.Errorf("--alone must be a time above zero, like 10s; it is %s", *alone)
	}
	token, err := link.ReadToken(input)
	if err != nil {
		return err
	}
	logger := log.New(errors, "", 0)
	openFiles, err := process.RaiseOpenFiles()
	if err != nil {
		logger.Printf("The limit of open files stays at %d: %v.", openFiles, err)
	}
	records := link.NewRecords(link.KeptRecords, time.Now)
	player, err := build(setup{records: records, openFiles: openFiles, log: logger})
	if err != nil {
		return err
	}
	server, err := link.Listen(link.Config{Role: player, Records: records, Version: version, Token: token, Listen: *listen,
		Alone: *alone, ExitWhenAlone: *exitWhenAlone, OpenFiles: openFiles, Log: logger})
	if err != nil {
		_ = player.Close() // the reason to end is the listener's
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := json.NewEncoder(output).Encode(server.Listening()); err != nil {
		return fmt.Errorf("standard output can't be written: %w", err)
	}
	return server.Serve(ctx)
}
