// Package plainhttp is the straightforward audience of HLS and of endless streams over HTTP: net/http with a goroutine
// and connections of its own for each viewer. Our audience is compared with it. It trusts the server, which the
// measurement itself starts.
package plainhttp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/bench/tally"
)

const (
	bufferBytes = 64 << 10
	// segmentsBehind is how many segments before the end viewers start, as players do.
	segmentsBehind = 3
	// reloadEvery is half of the measured stream's segment length.
	reloadEvery = time.Second
)

// Group are the viewers of one stream.
type Group struct {
	tally.Tally
	address *url.URL
	ctx     context.Context
	end     context.CancelFunc
	playing sync.WaitGroup
}

// New prepares a group for http://HOST:PORT/PATH, HLS if it ends with .m3u8.
func New(address *url.URL) (*Group, error) {
	if address.Scheme != "http" {
		return nil, fmt.Errorf("%q is not an HTTP address", address)
	}
	c := &Group{address: address}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c, nil
}

// Connect connects the viewers, at most parallel at once, and returns when each has received media or has failed.
func (c *Group) Connect(_ context.Context, viewers, parallel int) {
	places := make(chan struct{}, parallel)
	var coming sync.WaitGroup
	for range viewers {
		places <- struct{}{}
		coming.Add(1)
		c.playing.Add(1)
		go func() {
			defer c.playing.Done()
			v := &viewer{group: c, client: &http.Client{Transport: &http.Transport{}}, buffer: make([]byte, bufferBytes)}
			v.connected = sync.OnceFunc(func() { <-places; coming.Done() })
			defer v.connected()
			play := v.playStream
			if strings.HasSuffix(c.address.Path, ".m3u8") {
				play = v.playSegments
			}
			if err := play(); err != nil && !errors.Is(err, context.Canceled) {
				c.Note(err)
				if !v.isConnected {
					c.Failed.Add(1)
				}
			}
		}()
	}
	coming.Wait()
}

// Disconnect ends all viewers.
func (c *Group) Disconnect(context.Context) {
	c.end()
	c.playing.Wait()
}

type viewer struct {
	group       *Group
	client      *http.Client
	buffer      []byte
	isConnected bool
	connected   func()
}

func (v *viewer) get(address *url.URL) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(v.group.ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	response, err := v.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("%s returned %s", address.Path, response.Status), response.Body.Close())
	}
	return response.Body, nil
}

// receive counts a body until its end.
func (v *viewer) receive(body io.ReadCloser) error {
	defer body.Close()
	for {
		n, err := body.Read(v.buffer)
		v.group.Bytes.Add(uint64(n))
		if n > 0 && !v.isConnected {
			v.isConnected = true
			v.group.Connected.Add(1)
			v.connected()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (v *viewer) playStream() error {
	body, err := v.get(v.group.address)
	if err != nil {
		return err
	}
	return v.receive(body)
}

// playSegments fetches each new segment of a media playlist.
func (v *viewer) playSegments() error {
	known := map[string]bool{}
	for first := true; ; first = false {
		segments, err := v.playlist()
		if err != nil {
			return err
		}
		if first && len(segments) > segmentsBehind {
			for _, old := range segments[:len(segments)-segmentsBehind] {
				known[old] = true
			}
		}
		listed := map[string]bool{}
		for _, segment := range segments {
			listed[segment] = true
			if known[segment] {
				continue
			}
			target, err := v.group.address.Parse(segment)
			if err != nil {
				return err
			}
			body, err := v.get(target)
			if err != nil {
				return err
			}
			if err := v.receive(body); err != nil {
				return err
			}
			v.group.Packets.Add(1)
		}
		known = listed
		select {
		case <-time.After(reloadEvery):
		case <-v.group.ctx.Done():
			return nil
		}
	}
}

func (v *viewer) playlist() (segments []string, err error) {
	body, err := v.get(v.group.address)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	for lines.Scan() {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			segments = append(segments, line)
		}
	}
	return segments, lines.Err()
}
