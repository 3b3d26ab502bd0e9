package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"log"
	"time"

	"fullhouse/agent/internal/audience"
	"fullhouse/agent/internal/bench/child"
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/process"
)

// audienceAgent is the agent's audience, started and called as in docs/agent-protocol.md, plus profiling: after the
// token, its input takes commands. The agent itself must not have that.
func audienceAgent(ctx context.Context, flags *flag.FlagSet, arguments []string, input io.Reader, output, errorOutput io.Writer) error {
	idleTimeout := flags.Duration("idle-timeout", 10*time.Second, "exit when no console has called for this long")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	token, err := control.ReadToken(input)
	if err != nil {
		return err
	}
	openFiles, err := process.RaiseOpenFiles()
	if err != nil {
		return err
	}
	records := control.NewRecords(control.KeptRecords, monotonic.Now)
	role, err := audience.New(audience.Config{Event: records.Event, OpenFiles: openFiles})
	if err != nil {
		return err
	}
	server, err := control.Listen(control.Config{Role: role, Records: records, Version: "measured", Token: token, Listen: "127.0.0.1:0",
		IdleTimeout: *idleTimeout, ExitWhenIdle: true, OpenFiles: openFiles, Log: log.New(errorOutput, "", 0)})
	if err != nil {
		_ = role.Close() // Listen's error is the one to report
		return err
	}
	if err := json.NewEncoder(output).Encode(server.Listening()); err != nil {
		_ = role.Close() // the error is reported already
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	go child.New(output).ServeCommands(serving, input, stop)
	return server.Serve(serving)
}
