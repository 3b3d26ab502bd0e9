// Command audience-bench contains the programs that `npm run bench:audience` measures the audience with and compares it
// with. Each role prints lines of JSON and exits at the end of its standard input.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"fullhouse/agent/internal/bench/child"
	"fullhouse/agent/internal/process"
)

// role is one program: its command-line flags, and what it runs until ctx ends.
type role func(flags *flag.FlagSet) func(ctx context.Context, self *child.Child) error

var roles = map[string]role{"publish": publish, "origin": origin, "plain": plainViewers, "plain-rtmp": plainRTMPViewers, "plain-http": plainHTTPViewers, "floor": receive}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(arguments []string, input io.Reader, output, errorOutput io.Writer) error {
	const usage = "usage: audience-bench publish | origin | plain | plain-rtmp | plain-http | floor | audience [options]"
	if len(arguments) == 0 {
		return errors.New(usage)
	}
	if _, err := process.RaiseOpenFiles(); err != nil {
		fmt.Fprintf(errorOutput, "The limit of open files was not raised: %v.\n", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	flags := flag.NewFlagSet("audience-bench "+arguments[0], flag.ContinueOnError)
	flags.SetOutput(errorOutput)
	if arguments[0] == "audience" {
		return audienceAgent(ctx, flags, arguments[1:], input, output, errorOutput)
	}
	prepare, known := roles[arguments[0]]
	if !known {
		return fmt.Errorf("unknown role %q; %s", arguments[0], usage)
	}
	do := prepare(flags)
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	self := child.New(output)
	go self.ServeCommands(ctx, input, stop)
	return do(ctx, self)
}

// loopback parses an address and refuses any other machine: load stays on this one.
func loopback(address string) (*url.URL, error) {
	target, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(target.Host, "127.0.0.1:") {
		return nil, fmt.Errorf("%q is not on this machine; the address must start with http://127.0.0.1:PORT/ or rtmp://127.0.0.1:PORT/", address)
	}
	return target, nil
}

const maxViewers = 5000

func checkGroup(viewers, parallel int) error {
	if viewers < 1 || viewers > maxViewers || parallel < 1 || parallel > viewers {
		return fmt.Errorf("%d viewers, %d at once: viewers must be 1 to %d, and parallel 1 to viewers", viewers, parallel, maxViewers)
	}
	return nil
}
