// Command fullhouse-agent runs one role for the engine that connects to it: the audience, or the lab.
// docs/agent-protocol.md specifies how it is started and its protocol.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"fullhouse/agent/internal/daemon"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "0.1.0"

const commandsSentence = "usage: fullhouse-agent audience | lab | start audience | status | stop | self-test | version"

func main() {
	// The engine may die first and close our standard error. Writing to it must not kill the agent before all viewers
	// are disconnected.
	signal.Ignore(syscall.SIGPIPE)
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(arguments []string, input io.Reader, output, errors io.Writer) error {
	if len(arguments) == 0 {
		return fmt.Errorf("no command; %s", commandsSentence)
	}
	switch arguments[0] {
	case "version":
		_, err := fmt.Fprintln(output, version)
		return err
	case "start":
		return start(arguments[1:], input, output, errors)
	case "status":
		return status(arguments[1:], output, errors)
	case "self-test":
		return selfTest(arguments[1:], output, errors)
	case "stop":
		return stop(arguments[1:], errors)
	case daemon.Command:
		return serveDetached(arguments[1:], input, output, errors)
	}
	return serveAttached(arguments[0], arguments[1:], input, output, errors)
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
