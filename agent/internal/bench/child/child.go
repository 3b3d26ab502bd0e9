// Package child is the life of a measurement's program: lines of JSON out, orders of one line in, and an end as soon as whoever
// started it is gone.
package child

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"time"
)

const mostProfiled = time.Minute

// Child speaks with who started it.
type Child struct {
	mutex  sync.Mutex
	output io.Writer
}

// New makes a child that speaks to output.
func New(output io.Writer) *Child { return &Child{output: output} }

// Say writes one line.
func (c *Child) Say(message any) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return json.NewEncoder(c.output).Encode(message)
}

// Problem is a line that tells what can't be done.
type Problem struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// Profiled is the line after a profile was written.
type Profiled struct {
	Type string `json:"type"`
	Path string `json:"path"`
}

// Obey reads orders until the input's end, and then calls stop. The one order is "profile SECONDS PATH".
func (c *Child) Obey(ctx context.Context, input io.Reader, stop func()) {
	defer stop()
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		if err := c.obey(ctx, lines.Text()); err != nil {
			_ = c.Say(Problem{Type: "problem", Message: err.Error()}) // who does not listen any more ends the input too
		}
	}
}

func (c *Child) obey(ctx context.Context, line string) error {
	words := strings.SplitN(strings.TrimSpace(line), " ", 3)
	if len(words) != 3 || words[0] != "profile" {
		return fmt.Errorf("%q is no order; say: profile SECONDS PATH", line)
	}
	seconds, err := strconv.Atoi(words[1])
	duration := time.Duration(seconds) * time.Second
	if err != nil || duration <= 0 || duration > mostProfiled {
		return fmt.Errorf("%q is no number of seconds from 1 to %d", words[1], int(mostProfiled.Seconds()))
	}
	if err := profile(ctx, duration, words[2]); err != nil {
		return err
	}
	return c.Say(Profiled{Type: "profiled", Path: words[2]})
}

// profile writes where this process spends its time.
func profile(ctx context.Context, duration time.Duration, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return errors.Join(err, file.Close())
	}
	select {
	case <-time.After(duration):
	case <-ctx.Done():
	}
	pprof.StopCPUProfile()
	return file.Close()
}

// Every calls tell each second until ctx ends.
func Every(ctx context.Context, tell func() error) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err := tell(); err != nil {
				return err
			}
		}
	}
}
