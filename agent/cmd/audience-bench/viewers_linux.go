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
	"fullhouse/agent/internal/bench/plainrtmp"
	"fullhouse/agent/internal/bench/tally"
)

// connectedLine tells that everybody has come, or failed.
type connectedLine struct {
	Type      string  `json:"type"`
	Connected uint64  `json:"connected"`
	Failed    uint64  `json:"failed"`
	TookMs    float64 `json:"tookMs"`
	Problem   string  `json:"problem,omitempty"`
}

// receivedSecond is what came within a second: packets, messages where the protocol has no packets.
type receivedSecond struct {
	Type             string  `json:"type"`
	PacketsPerSecond float64 `json:"packetsPerSecond"`
	Kbps             float64 `json:"kbps"`
	ReadsPerSecond   float64 `json:"readsPerSecond,omitempty"`
}

// totals since the beginning.
type totals struct{ packets, bytes, reads uint64 }

// tellEach second what came, until ctx ends.
func tellEach(ctx context.Context, self *child.Child, now func() totals) error {
	before, at := now(), time.Now()
	return child.Every(ctx, func() error {
		sum := now()
		seconds := time.Since(at).Seconds()
		at = time.Now()
		said := receivedSecond{Type: "sample", PacketsPerSecond: float64(sum.packets-before.packets) / seconds,
			Kbps: float64(sum.bytes-before.bytes) * 8 / 1000 / seconds, ReadsPerSecond: float64(sum.reads-before.reads) / seconds}
		before = sum
		return self.Say(said)
	})
}

type crowdFlags struct {
	address           *string
	viewers, parallel *int
}

func flagsOfCrowd(flags *flag.FlagSet) crowdFlags {
	return crowdFlags{address: flags.String("url", "", "what to play"), viewers: flags.Int("viewers", 0, "how many"),
		parallel: flags.Int("parallel", 32, "how many connect at once")}
}

// crowd is a plain client of some protocol.
type crowd interface {
	Connect(ctx context.Context, viewers, parallel int)
	Figures() tally.Figures
	Leave(ctx context.Context)
}

// plainViewers play by WHEP.
func plainViewers(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	return playing(flags, func(endpoint *url.URL) (crowd, error) { return plain.New(endpoint) })
}

// plainRTMPViewers play by RTMP.
func plainRTMPViewers(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	return playing(flags, func(address *url.URL) (crowd, error) { return plainrtmp.New(address) })
}

// playing lets a crowd come, tells each second what it receives, and sends it home when ctx ends.
func playing(flags *flag.FlagSet, gather func(*url.URL) (crowd, error)) func(context.Context, *child.Child) error {
	f := flagsOfCrowd(flags)
	return func(ctx context.Context, self *child.Child) error {
		address, err := loopback(*f.address)
		if err = errors.Join(err, checkCrowd(*f.viewers, *f.parallel)); err != nil {
			return err
		}
		viewers, err := gather(address)
		if err != nil {
			return err
		}
		if err := self.Say(isReady()); err != nil {
			return err
		}
		began := time.Now()
		viewers.Connect(ctx, *f.viewers, *f.parallel)
		figures := viewers.Figures()
		err = self.Say(connectedLine{Type: "connected", Connected: figures.Connected, Failed: figures.Failed, Problem: figures.Problem,
			TookMs: float64(time.Since(began)) / float64(time.Millisecond)})
		if err == nil {
			err = tellEach(ctx, self, func() totals {
				now := viewers.Figures()
				return totals{packets: now.Packets, bytes: now.Bytes}
			})
		}
		leaving, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		viewers.Leave(leaving)
		return err
	}
}

// receive is the floor: sockets that read what a bare origin sends to as many viewers.
func receive(flags *flag.FlagSet) func(context.Context, *child.Child) error {
	address := flags.String("origin", "", "the bare origin, http://127.0.0.1:PORT")
	viewers := flags.Int("viewers", 0, "as many packets as so many viewers get")
	sockets := flags.String("sockets", string(floor.SocketEach), "one socket, or one for each viewer")
	return func(ctx context.Context, self *child.Child) error {
		target, err := loopback(*address)
		if err = errors.Join(err, checkCrowd(*viewers, 1)); err != nil {
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
		_ = answer.Body.Close() // the status says it all
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("the origin answered %s", answer.Status)
		}
		if err := self.Say(isReady()); err != nil {
			return err
		}
		ended := make(chan error, 1)
		reading, stop := context.WithCancel(ctx)
		go func() { ended <- receiver.Run(reading) }()
		err = tellEach(ctx, self, func() totals {
			return totals{packets: receiver.Packets.Load(), bytes: receiver.Bytes.Load(), reads: receiver.Reads.Load()}
		})
		stop()
		err = errors.Join(err, <-ended)
		leave, askErr := http.NewRequest(http.MethodDelete, target.JoinPath("receivers").String(), nil)
		if askErr == nil {
			if answer, askErr = http.DefaultClient.Do(leave); askErr == nil {
				askErr = answer.Body.Close()
			}
		}
		return errors.Join(err, askErr)
	}
}
