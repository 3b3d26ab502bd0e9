package main

import (
	"flag"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab"
)

// labRole is the small WHIP/WHEP origin.
func labRole(flags *flag.FlagSet) builder {
	http := flags.String("http", "127.0.0.1:0", "`address` for WHIP and WHEP")
	media := flags.String("media", "127.0.0.1:0", "`address` for media, UDP")
	network := flags.Bool("network", false, "allow addresses that other machines can reach; the lab has no access control")
	samples := flags.String("samples", "assets/lab", "`folder` with the sample files")
	return func(s setup) (control.Role, error) {
		return lab.Start(lab.Config{HTTP: *http, Media: *media, Network: *network, Samples: *samples, Event: s.records.Event, Log: s.log})
	}
}
