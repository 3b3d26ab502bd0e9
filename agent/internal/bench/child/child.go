// Package child is the frame of a measurement's program: it writes JSON lines, reads one-line commands, and exits as
// soon as its parent is gone.
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

const maxProfiled = time.Minute

// Child communicates with its parent process.
type Child struct {
	mutex  sync.Mutex
	output io.Writer
}

// New makes a child that writes to output.
func New(output io.Writer) *Child { return &Child{output: output} }

// Send writes one line.
func (c *Child) Send(message any) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return json.NewEncoder(c.output).Encode(message)
}

// Problem is a line that reports an error.
type Problem struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// Profiled is the line after a profile was written.
type Profiled struct {
	Type string `json:"type"`
	Path string `json:"path"`
}

// ServeCommands reads commands until the input ends, and then calls stop. The only command is "profile SECONDS PATH".
func (c *Child) ServeCommands(ctx context.Context, input io.Reader, stop func()) {
	defer stop()
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		if err := c.execute(ctx, lines.Text()); err != nil {
			_ = c.Send(Problem{Type: "problem", Message: err.Error()}) // if the parent no longer reads, the input ends too
		}
	}
}

func (c *Child) execute(ctx context.Context, line string) error {
	words := strings.SplitN(strings.TrimSpace(line), " ", 3)
	if len(words) != 3 || words[0] != "profile" {
		return fmt.Errorf("unknown command %q; use: profile SECONDS PATH", line)
	}
	seconds, err := strconv.Atoi(words[1])
	duration := time.Duration(seconds) * time.Second
	if err != nil || duration <= 0 || duration > maxProfiled {
		return fmt.Errorf("%q is not a number of seconds from 1 to %d", words[1], int(maxProfiled.Seconds()))
	}
	if err := profile(ctx, duration, words[2]); err != nil {
		return err
	}
	return c.Send(Profiled{Type: "profiled", Path: words[2]})
}

// profile writes a CPU profile of this process.
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

// Every calls report each second until ctx ends.
func Every(ctx context.Context, report func() error) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			if err := report(); err != nil {
				return err
			}
		}
	}
}
