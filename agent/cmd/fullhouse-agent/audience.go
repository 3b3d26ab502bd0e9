package main

import (
	"flag"

	"fullhouse/agent/internal/audience"
	"fullhouse/agent/internal/link"
)

// audienceRole pulls streams, and publishes a sample where it is told to.
func audienceRole(flags *flag.FlagSet) builder {
	samples := flags.String("samples", "", "`folder` with the sample files, to publish them")
	return func(s setup) (link.Role, error) { return audienceIn(*samples)(s) }
}

func audienceIn(samples string) builder {
	return func(s setup) (link.Role, error) {
		return audience.New(audience.Config{Event: s.records.Event, OpenFiles: s.openFiles, Samples: samples})
	}
}
