package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"fullhouse/agent/internal/bench/bare"
	"fullhouse/agent/internal/bench/child"
	"fullhouse/agent/internal/bench/publisher"
	"fullhouse/agent/internal/bench/stream"
)

// ready is the first line of a role.
type ready struct {
	Type string `json:"type"`
	PID  int    `json:"pid"`
	HTTP string `json:"http,omitempty"`
}

func isReady() ready { return ready{Type: "ready", PID: os.Getpid()} }

// publish sends the measured stream to a WHIP endpoint.
func publish(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	address := flags.String("url", "", "WHIP `endpoint`")
	return func(ctx context.Context, self *child.Child) error {
		endpoint, err := loopback(*address)
		if err != nil {
			return err
		}
		p, err := publisher.Publish(ctx, endpoint)
		if err != nil {
			return fmt.Errorf("publishing the stream failed: %w", err)
		}
		err = self.Send(isReady())
		if err == nil {
			err = p.Play(ctx, stream.Make())
		}
		return errors.Join(err, p.Close())
	}
}

// originSecond is the bare origin's sample of one second.
type originSecond struct {
	Type             string  `json:"type"`
	Sessions         int     `json:"sessions"`
	PacketsPerSecond float64 `json:"packetsPerSecond"`
	Kbps             float64 `json:"kbps"`
	Errors           uint64  `json:"errors"`
	LatestMs         float64 `json:"latestMs"`
}

// origin is the bare origin.
func origin(*flag.FlagSet) func(context.Context, *child.Child) error {
	return func(ctx context.Context, self *child.Child) error {
		o, err := bare.Open(stream.Make(), func(sentence string) { fmt.Fprintln(os.Stderr, sentence) })
		if err != nil {
			return fmt.Errorf("starting the origin failed: %w", err)
		}
		announced := isReady()
		announced.HTTP = o.HTTP()
		err = self.Send(announced)
		before, at := o.Sample(), time.Now()
		if err == nil {
			err = child.Every(ctx, func() error {
				now := o.Sample()
				seconds := time.Since(at).Seconds()
				at = time.Now()
				sample := originSecond{Type: "sample", Sessions: now.Sessions, Errors: now.Totals.Errors - before.Totals.Errors,
					PacketsPerSecond: float64(now.Totals.Packets-before.Totals.Packets) / seconds,
					Kbps:             float64(now.Totals.Bytes-before.Totals.Bytes) * 8 / 1000 / seconds,
					LatestMs:         float64(now.Latest) / float64(time.Millisecond)}
				before = now
				return self.Send(sample)
			})
		}
		return errors.Join(err, o.Close())
	}
}
