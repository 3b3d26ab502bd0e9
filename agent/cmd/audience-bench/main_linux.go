// Command audience-bench has the programs that `npm run bench:audience` measures our audience with and against. Each role prints
// lines of JSON and ends when its standard input does.
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

// role is one program: what it needs of the command line, and what it does until ctx ends.
type role func(flags *flag.FlagSet) func(ctx context.Context, self *child.Child) error

var roles = map[string]role{"publish": publish, "origin": origin, "plain": plainViewers, "plain-rtmp": plainRTMPViewers, "floor": receive}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(arguments []string, input io.Reader, output, complaints io.Writer) error {
	const usage = "say audience-bench publish | origin | plain | plain-rtmp | floor | audience, and its options"
	if len(arguments) == 0 {
		return errors.New(usage)
	}
	if _, err := process.RaiseOpenFiles(); err != nil {
		fmt.Fprintf(complaints, "The limit of open files stays: %v.\n", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	flags := flag.NewFlagSet("audience-bench "+arguments[0], flag.ContinueOnError)
	flags.SetOutput(complaints)
	if arguments[0] == "audience" {
		return audienceAgent(ctx, flags, arguments[1:], input, output, complaints)
	}
	prepare, known := roles[arguments[0]]
	if !known {
		return fmt.Errorf("%q is no role; %s", arguments[0], usage)
	}
	do := prepare(flags)
	if err := flags.Parse(arguments[1:]); err != nil {
		return err
	}
	self := child.New(output)
	go self.Obey(ctx, input, stop)
	return do(ctx, self)
}

// loopback reads an address and refuses any other machine: load goes nowhere else.
func loopback(address string) (*url.URL, error) {
	target, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(target.Host, "127.0.0.1:") {
		return nil, fmt.Errorf("%q is not on this machine; the address must begin with http://127.0.0.1:PORT/ or rtmp://127.0.0.1:PORT/", address)
	}
	return target, nil
}

const mostViewers = 5000

func checkCrowd(viewers, parallel int) error {
	if viewers < 1 || viewers > mostViewers || parallel < 1 || parallel > viewers {
		return fmt.Errorf("%d viewers, %d at once: it must be 1 to %d, and no more at once than there are", viewers, parallel, mostViewers)
	}
	return nil
}
