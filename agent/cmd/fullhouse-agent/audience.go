package main

import (
	"flag"
	"fmt"

	"fullhouse/agent/internal/audience"
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/udpreader"
)

// audienceRole pulls streams, and publishes samples.
func audienceRole(flags *flag.FlagSet) builder {
	samples := flags.String("samples", "", "`folder` with the sample files for publishing")
	reader := flags.String("reader", "", fmt.Sprintf("how datagrams are received, one of %v; default: the first that works", udpreader.Readers()))
	return func(s setup) (control.Role, error) { return audienceIn(*samples, udpreader.Reader(*reader))(s) }
}

func audienceIn(samples string, reader udpreader.Reader) builder {
	return func(s setup) (control.Role, error) {
		return audience.New(audience.Config{Event: s.records.Event, OpenFiles: s.openFiles, Samples: samples, Reader: reader})
	}
}
