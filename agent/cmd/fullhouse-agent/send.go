package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"fullhouse/agent/internal/publish"
)

// progressEvery is how often what was sent is reported.
const progressEvery = 500 * time.Millisecond

// maxOrder bounds the first line of send's input.
const maxOrder = 16 << 10

// send publishes a live stream. Its standard input is one line of JSON with the protocol and the address, which may
// have secrets and so is no argument, and then FLV. It reports what was sent in the lines of ffmpeg's -progress.
func send(arguments []string, input io.Reader, output, errorOutput io.Writer) error {
	flags := flagsOf("send", errorOutput)
	if err := parse(flags, arguments); err != nil {
		return err
	}
	reader := bufio.NewReaderSize(input, maxOrder)
	line, err := reader.ReadSlice('\n')
	if err != nil {
		return errors.New("the first line of standard input must be the protocol and the address as JSON")
	}
	var order struct {
		Protocol string `json:"protocol"`
		URL      string `json:"url"`
	}
	if err := json.Unmarshal(line, &order); err != nil {
		return errors.New("the first line of standard input is not JSON") // the error could quote the address
	}
	reported := time.Now()
	return publish.Live(context.Background(), order.Protocol, order.URL, reader, func(sent publish.LiveProgress) {
		if time.Since(reported) < progressEvery {
			return
		}
		reported = time.Now()
		fmt.Fprintf(output, "frame=%d\ntotal_size=%d\n", sent.Frames, sent.Bytes) // the reader may be gone
	})
}
