package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"fullhouse/agent/internal/bench/bare"
	"fullhouse/agent/internal/bench/child"
	"fullhouse/agent/internal/bench/floor"
	"fullhouse/agent/internal/bench/plain"
	"fullhouse/agent/internal/bench/plainhttp"
	"fullhouse/agent/internal/bench/plainrtmp"
	"fullhouse/agent/internal/bench/tally"
)

// connectedLine reports that all viewers have connected or failed.
type connectedLine struct {
	Type      string  `json:"type"`
	Connected uint64  `json:"connected"`
	Failed    uint64  `json:"failed"`
	TookMs    float64 `json:"tookMs"`
	Problem   string  `json:"problem,omitempty"`
}

// receivedSecond is what was received within a second: packets, or messages where the protocol has no packets.
type receivedSecond struct {
	Type             string  `json:"type"`
	PacketsPerSecond float64 `json:"packetsPerSecond"`
	Kbps             float64 `json:"kbps"`
	ReadsPerSecond   float64 `json:"readsPerSecond,omitempty"`
}

// totals since the start.
type totals struct{ packets, bytes, reads uint64 }

// reportEach second what was received, until ctx ends.
func reportEach(ctx context.Context, self *child.Child, now func() totals) error {
	before, at := now(), time.Now()
	return child.Every(ctx, func() error {
		sum := now()
		seconds := time.Since(at).Seconds()
		at = time.Now()
		sample := receivedSecond{Type: "sample", PacketsPerSecond: float64(sum.packets-before.packets) / seconds,
			Kbps: float64(sum.bytes-before.bytes) * 8 / 1000 / seconds, ReadsPerSecond: float64(sum.reads-before.reads) / seconds}
		before = sum
		return self.Send(sample)
	})
}

type groupFlags struct {
	address           *string
	viewers, parallel *int
}

func flagsOfGroup(flags *flag.FlagSet) groupFlags {
	return groupFlags{address: flags.String("url", "", "`address` to pull"), viewers: flags.Int("viewers", 0, "number of viewers"),
		parallel: flags.Int("parallel", 32, "viewers that connect at once")}
}

// group is a plain client of one protocol.
type group interface {
	Connect(ctx context.Context, viewers, parallel int)
	Figures() tally.Figures
	Disconnect(ctx context.Context)
}

// plainViewers pull over WHEP.
func plainViewers(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	return playing(flags, func(endpoint *url.URL) (group, error) { return plain.New(endpoint) })
}

// plainRTMPViewers pull over RTMP.
func plainRTMPViewers(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	return playing(flags, func(address *url.URL) (group, error) { return plainrtmp.New(address) })
}

// plainHTTPViewers pull HLS, or an endless stream over HTTP.
func plainHTTPViewers(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	return playing(flags, func(address *url.URL) (group, error) { return plainhttp.New(address) })
}

// playing connects a group, reports each second what it receives, and disconnects it when ctx ends.
func playing(flags *flag.FlagSet, gather func(*url.URL) (group, error)) func(context.Context, *child.Child) error {
	f := flagsOfGroup(flags)
	return func(ctx context.Context, self *child.Child) error {
		address, err := loopback(*f.address)
		if err = errors.Join(err, checkGroup(*f.viewers, *f.parallel)); err != nil {
			return err
		}
		viewers, err := gather(address)
		if err != nil {
			return err
		}
		if err := self.Send(isReady()); err != nil {
			return err
		}
		startTime := time.Now()
		viewers.Connect(ctx, *f.viewers, *f.parallel)
		figures := viewers.Figures()
		err = self.Send(connectedLine{Type: "connected", Connected: figures.Connected, Failed: figures.Failed, Problem: figures.Problem,
			TookMs: float64(time.Since(startTime)) / float64(time.Millisecond)})
		if err == nil {
			err = reportEach(ctx, self, func() totals {
				now := viewers.Figures()
				return totals{packets: now.Packets, bytes: now.Bytes}
			})
		}
		leaving, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		viewers.Disconnect(leaving)
		return err
	}
}

// receive is the floor: sockets that read what a bare origin sends to the same number of viewers.
func receive(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	address := flags.String("origin", "", "the bare origin, http://127.0.0.1:PORT")
	viewers := flags.Int("viewers", 0, "receive the packets of this many viewers")
	sockets := flags.String("sockets", string(floor.SocketEach), "one socket, or one per viewer")
	return func(ctx context.Context, self *child.Child) error {
		target, err := loopback(*address)
		if err = errors.Join(err, checkGroup(*viewers, 1)); err != nil {
			return err
		}
		receiver, err := floor.Open(floor.Mode(*sockets), *viewers)
		if err != nil {
			return err
		}
		defer receiver.Close()
		body, err := json.Marshal(bare.Receivers{Ports: receiver.Ports()})
		if err != nil {
			return err
		}
		answer, err := http.Post(target.JoinPath("receivers").String(), "application/json", bytes.NewReader(body))
		if err != nil {
			return err
		}
		_ = answer.Body.Close() // only the status matters
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("the origin responded %s", answer.Status)
		}
		if err := self.Send(isReady()); err != nil {
			return err
		}
		ended := make(chan error, 1)
		reading, stop := context.WithCancel(ctx)
		go func() { ended <- receiver.Run(reading) }()
		err = reportEach(ctx, self, func() totals {
			return totals{packets: receiver.Packets.Load(), bytes: receiver.Bytes.Load(), reads: receiver.Reads.Load()}
		})
		stop()
		err = errors.Join(err, <-ended)
		leave, requestErr := http.NewRequest(http.MethodDelete, target.JoinPath("receivers").String(), nil)
		if requestErr == nil {
			if answer, requestErr = http.DefaultClient.Do(leave); requestErr == nil {
				requestErr = answer.Body.Close()
			}
		}
		return errors.Join(err, requestErr)
	}
}
