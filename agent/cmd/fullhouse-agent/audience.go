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
	memory := memoryFlag(flags)
	reader := flags.String("reader", "", fmt.Sprintf("how datagrams are received, one of %v; default: the first that works", udpreader.Readers()))
	return func(s setup) (control.Role, error) {
		return audienceIn(*samples, udpreader.Reader(*reader), *memory)(s)
	}
}

// memoryFlag is how much memory the agent may use.
func memoryFlag(flags *flag.FlagSet) *uint {
	return flags.Uint("memory-limit", 0, "`MB` of memory that the agent may use; default: 85 % of its control group's limit, or 75 % of the machine's memory")
}

// leastMemory is what an agent with a few viewers needs, in MB.
const leastMemory = 64

func audienceIn(samples string, reader udpreader.Reader, memoryMB uint) builder {
	return func(s setup) (control.Role, error) {
		if memoryMB != 0 && memoryMB < leastMemory {
			return nil, fmt.Errorf("--memory-limit is %d MB; an agent needs at least %d", memoryMB, leastMemory)
		}
		return audience.New(audience.Config{Memory: uint64(memoryMB) << 20, Event: s.records.Event, OpenFiles: s.openFiles, Samples: samples, Reader: reader})
	}
}
