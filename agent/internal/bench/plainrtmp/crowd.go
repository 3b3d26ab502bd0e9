// Package plainrtmp is the RTMP audience that anybody would write: a goroutine and a 64 KB buffer per connection, reading chunks
// and counting messages. It is what ours is compared with; it trusts the server that the measurement itself starts.
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
	patience    = 20 * time.Second
	bufferBytes = 64 << 10
)

// Crowd are the viewers of one stream.
type Crowd struct {
	tally.Tally
	host, app, stream, tcURL string

	mutex   sync.Mutex
	sockets []net.Conn
	reading sync.WaitGroup
}

// New prepares a crowd for rtmp://HOST:PORT/APP/STREAM.
func New(address *url.URL) (*Crowd, error) {
	app, stream, found := strings.Cut(strings.TrimPrefix(address.Path, "/"), "/")
	if address.Scheme != "rtmp" || !found || app == "" || stream == "" {
		return nil, fmt.Errorf("%q is no RTMP address; it must look like rtmp://HOST:PORT/APP/STREAM", address)
	}
	return &Crowd{host: address.Host, app: app, stream: stream, tcURL: "rtmp://" + address.Host + "/" + app}, nil
}

// Connect lets the viewers come, so many at once, and returns when each has its first message with media or has failed.
func (c *Crowd) Connect(ctx context.Context, viewers, parallel int) {
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
func (c *Crowd) play(ctx context.Context, first func()) error {
	dialer := net.Dialer{Timeout: patience}
	socket, err := dialer.DialContext(ctx, "tcp", c.host)
	if err != nil {
		return err
	}
	defer socket.Close()
	c.mutex.Lock()
	c.sockets = append(c.sockets, socket)
	c.mutex.Unlock()
	if err := socket.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if err := handshake(socket); err != nil {
		return err
	}
	if _, err := socket.Write(askToPlay(c.app, c.tcURL, c.stream)); err != nil {
		return err
	}
	began := sync.OnceValue(func() error {
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
			if err := began(); err != nil {
				return err
			}
		}
		c.Bytes.Add(reader.takeBytes())
	}
}

// Leave closes all connections and waits until nobody reads any more. There is nobody to wait for who could be late.
func (c *Crowd) Leave(context.Context) {
	c.mutex.Lock()
	for _, socket := range c.sockets {
		_ = socket.Close() // there is nothing to lose
	}
	c.mutex.Unlock()
	c.reading.Wait()
}
