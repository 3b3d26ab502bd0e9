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
	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/steady"
)

// audienceAgent is the agent's audience, started and asked as docs/agent-protocol.md says, that can also be profiled: after the
// token, its input takes orders. The agent itself must not have that.
func audienceAgent(ctx context.Context, flags *flag.FlagSet, arguments []string, input io.Reader, output, complaints io.Writer) error {
	alone := flags.Duration("alone", 10*time.Second, "end when nobody called for this long")
	if err := flags.Parse(arguments); err != nil {
		return err
	}
	token, err := link.ReadToken(input)
	if err != nil {
		return err
	}
	openFiles, err := process.RaiseOpenFiles()
	if err != nil {
		return err
	}
	records := link.NewRecords(link.KeptRecords, steady.Now)
	player, err := audience.New(audience.Config{Event: records.Event, OpenFiles: openFiles})
	if err != nil {
		return err
	}
	server, err := link.Listen(link.Config{Role: player, Records: records, Version: "measured", Token: token, Listen: "127.0.0.1:0",
		Alone: *alone, ExitWhenAlone: true, OpenFiles: openFiles, Log: log.New(complaints, "", 0)})
	if err != nil {
		_ = player.Close() // the reason to end is the listener's
		return err
	}
	if err := json.NewEncoder(output).Encode(server.Listening()); err != nil {
		_ = player.Close() // the reason to end is told already
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	go child.New(output).Obey(serving, input, stop)
	return server.Serve(serving)
}
