package main

import (
	"flag"

	"fullhouse/agent/internal/audience"
	"fullhouse/agent/internal/link"
)

func audienceRole(*flag.FlagSet) builder {
	return func(s setup) (link.Role, error) {
		return audience.New(audience.Config{Event: s.records.Event, OpenFiles: s.openFiles})
	}
}
