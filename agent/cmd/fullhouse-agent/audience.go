package main

import (
	"flag"
	"fmt"

	"fullhouse/agent/internal/audience"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/link"
)

// audienceRole pulls streams, and publishes a sample where it is told to.
func audienceRole(flags *flag.FlagSet) builder {
	samples := flags.String("samples", "", "`folder` with the sample files, to publish them")
	reader := flags.String("reader", "", fmt.Sprintf("how datagrams are received, one of %v; by default the first of them that works", harvest.Readers()))
	return func(s setup) (link.Role, error) { return audienceIn(*samples, harvest.Reader(*reader))(s) }
}

func audienceIn(samples string, reader harvest.Reader) builder {
	return func(s setup) (link.Role, error) {
		return audience.New(audience.Config{Event: s.records.Event, OpenFiles: s.openFiles, Samples: samples, Reader: reader})
	}
}
