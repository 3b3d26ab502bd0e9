// Package plainrtmp is the straightforward RTMP audience: a goroutine and a 64 KB buffer per connection, reading chunks
// and counting messages. Our audience is compared with it. It trusts the server, which the measurement itself starts.
package plainrtmp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/bench/tally"
)

const (
	timeout     = 20 * time.Second
	bufferBytes = 64 << 10
)

// Group are the viewers of one stream.
type Group struct {
	tally.Tally
	host, app, stream, tcURL string

	mutex   sync.Mutex
	sockets []net.Conn
	reading sync.WaitGroup
}

// New prepares a group for rtmp://HOST:PORT/APP/STREAM.
func New(address *url.URL) (*Group, error) {
	app, stream, found := strings.Cut(strings.TrimPrefix(address.Path, "/"), "/")
	if address.Scheme != "rtmp" || !found || app == "" || stream == "" {
		return nil, fmt.Errorf("%q is not an RTMP address; expected rtmp://HOST:PORT/APP/STREAM", address)
	}
	return &Group{host: address.Host, app: app, stream: stream, tcURL: "rtmp://" + address.Host + "/" + app}, nil
}

// Connect connects the viewers, at most parallel at once, and returns when each has its first media message or has
// failed.
func (c *Group) Connect(ctx context.Context, viewers, parallel int) {
	places := make(chan struct{}, parallel)
	var coming sync.WaitGroup
	for range viewers {
		places <- struct{}{}
		coming.Add(1)
		c.reading.Add(1)
		here := sync.OnceFunc(func() { <-places; coming.Done() })
		go func() {
			defer c.reading.Done()
			defer here()
			connected := false
			err := c.play(ctx, func() {
				connected = true
				c.Connected.Add(1)
				here()
			})
			if err != nil && !connected {
				c.Failed.Add(1)
			}
			if err != nil && !errors.Is(err, net.ErrClosed) {
				c.Note(err)
			}
		}()
	}
	coming.Wait()
}

// play reads until the connection ends; first is called at the first message with media.
func (c *Group) play(ctx context.Context, first func()) error {
	dialer := net.Dialer{Timeout: timeout}
	socket, err := dialer.DialContext(ctx, "tcp", c.host)
	if err != nil {
		return err
	}
	defer socket.Close()
	c.mutex.Lock()
	c.sockets = append(c.sockets, socket)
	c.mutex.Unlock()
	if err := socket.SetDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	if err := handshake(socket); err != nil {
		return err
	}
	if _, err := socket.Write(sendPlay(c.app, c.tcURL, c.stream)); err != nil {
		return err
	}
	startTime := sync.OnceValue(func() error {
		first()
		return socket.SetDeadline(time.Time{})
	})
	reader := newReader(socket)
	for {
		m, err := reader.next()
		if err != nil {
			return err
		}
		switch m.kind {
		case audioMessage, videoMessage:
			c.Packets.Add(1)
			if err := startTime(); err != nil {
				return err
			}
		}
		c.Bytes.Add(reader.takeBytes())
	}
}

// Disconnect closes all connections and waits until all reads have ended.
func (c *Group) Disconnect(context.Context) {
	c.mutex.Lock()
	for _, socket := range c.sockets {
		_ = socket.Close() // nothing is lost
	}
	c.mutex.Unlock()
	c.reading.Wait()
}
