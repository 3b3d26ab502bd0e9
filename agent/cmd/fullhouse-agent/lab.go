package main

import (
	"flag"

	"fullhouse/agent/internal/lab"
	"fullhouse/agent/internal/link"
)

// labRole is the small WHIP/WHEP origin.
func labRole(flags *flag.FlagSet) builder {
	http := flags.String("http", "127.0.0.1:0", "loopback `address` for WHIP and WHEP")
	media := flags.String("media", "127.0.0.1:0", "loopback `address` for media, UDP")
	samples := flags.String("samples", "assets/lab", "`folder` with the sample files")
	return func(s setup) (link.Role, error) {
		return lab.Start(lab.Config{HTTP: *http, Media: *media, Samples: *samples, Event: s.records.Event, Log: s.log})
	}
}
