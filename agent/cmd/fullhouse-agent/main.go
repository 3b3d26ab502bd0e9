// Command fullhouse-agent plays one role on a machine for the engine that calls it: the audience, or the lab.
// docs/agent-protocol.md says how it is started and spoken to.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"fullhouse/agent/internal/remote"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "0.1.0"

const commandsSentence = "say fullhouse-agent audience | lab | start audience | status | stop | self-test | version"

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
		return fmt.Errorf("say what to do: %s", commandsSentence)
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
	case remote.Command:
		return serveDetached(arguments[1:], input, output, errors)
	}
	return serveAttached(arguments[0], arguments[1:], input, output, errors)
}

// flagsOf makes the flags of a command, whose complaints go to errors.
func flagsOf(command string, errors io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet("fullhouse-agent "+command, flag.ContinueOnError)
	flags.SetOutput(errors)
	return flags
}

func parse(flags *flag.FlagSet, arguments []string) error {
	if err := flags.Parse(arguments); err != nil {
		return fmt.Errorf("the arguments can't be used: %w", err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%s is no option of %s", strings.Join(flags.Args(), " "), flags.Name())
	}
	return nil
}

// aboveZero refuses a duration that makes no sense.
func aboveZero(option string, value time.Duration) error {
	if value <= 0 {
		return fmt.Errorf("%s must be a time above zero, like 10s; it is %s", option, value)
	}
	return nil
}
