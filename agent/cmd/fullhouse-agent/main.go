// Command fullhouse-agent runs one role for the engine that connects to it: the audience, or the lab.
// docs/agent-protocol.md specifies how it is started and its protocol.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	// Certificates of public authorities where the system has none, as in an image from scratch.
	_ "golang.org/x/crypto/x509roots/fallback"

	"fullhouse/agent/internal/daemon"
	"fullhouse/agent/internal/trust"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "0.1.0"

const commandsSentence = "usage: fullhouse-agent audience | lab | start audience | status | stop | probe | self-test | send | version"

// exitSignalled is the usual code of a program that SIGTERM has ended.
const exitSignalled = 143

func main() {
	// The engine may die first and close our standard error. Writing to it must not kill the agent before all viewers
	// are disconnected.
	signal.Ignore(syscall.SIGPIPE)
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); errors.Is(err, errSignalled) {
		os.Exit(exitSignalled)
	} else if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(arguments []string, input io.Reader, output, errorOutput io.Writer) error {
	if len(arguments) == 0 {
		return fmt.Errorf("no command; %s", commandsSentence)
	}
	if arguments[0] == "version" {
		_, err := fmt.Fprintln(output, version)
		return err
	}
	if err := trust.Problem(); err != nil {
		_, _ = fmt.Fprintln(errorOutput, err) // a warning: servers with public certificates are reachable all the same
	}
	switch arguments[0] {
	case "start":
		return start(arguments[1:], input, output, errorOutput)
	case "status":
		return status(arguments[1:], output, errorOutput)
	case "probe":
		return probe(arguments[1:], errorOutput)
	case "send":
		return send(arguments[1:], input, output, errorOutput)
	case "self-test":
		return selfTest(arguments[1:], output, errorOutput)
	case "stop":
		return stop(arguments[1:], errorOutput)
	case daemon.Command:
		return serveDetached(arguments[1:], input, output, errorOutput)
	}
	return serveAttached(arguments[0], arguments[1:], input, output, errorOutput)
}

// flagsOf makes the flags of a command; usage and errors are written to errors.
func flagsOf(command string, errors io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("fullhouse-agent "+command, flag.ContinueOnError)
	flags.SetOutput(errors)
	return flags
}

// deprecatedFlags are the names of flags in earlier versions. They are not in the usage.
var deprecatedFlags = map[string]string{
	"alone": "idle-timeout", "exit-when-alone": "exit-when-idle", "home": "state-dir", "keep": "exit-after",
}

// withCurrentNames replaces deprecated flags, with one line of warning each.
func withCurrentNames(flags *flag.FlagSet, arguments []string) []string {
	current := slices.Clone(arguments)
	for i, argument := range arguments {
		name, value, hasValue := strings.Cut(strings.TrimLeft(argument, "-"), "=")
		renamed := deprecatedFlags[name]
		if !strings.HasPrefix(argument, "-") || renamed == "" || flags.Lookup(renamed) == nil {
			continue
		}
		fmt.Fprintf(flags.Output(), "--%s is deprecated; use --%s.\n", name, renamed)
		current[i] = "--" + renamed
		if hasValue {
			current[i] += "=" + value
		}
	}
	return current
}

func parse(flags *flag.FlagSet, arguments []string) error {
	if err := flags.Parse(withCurrentNames(flags, arguments)); err != nil {
		return fmt.Errorf("invalid arguments: %w", err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected arguments %q of %s", strings.Join(flags.Args(), " "), flags.Name())
	}
	return nil
}

// aboveZero refuses a duration of zero or less.
func aboveZero(option string, value time.Duration) error {
	if value <= 0 {
		return fmt.Errorf("%s must be a duration above zero, such as 10s; it is %s", option, value)
	}
	return nil
}

// exitsAfterIdle refuses an agent that would exit before its viewers are disconnected.
func exitsAfterIdle(idleTimeout, exitAfter time.Duration) error {
	if exitAfter < idleTimeout {
		return fmt.Errorf("--exit-after (%s) must not be shorter than --idle-timeout (%s), "+
			"or the agent exits before its viewers are disconnected", exitAfter, idleTimeout)
	}
	return nil
}
