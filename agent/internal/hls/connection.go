package hls

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/httpstream"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
)

// maxConnections is how many connections a browser opens to one server.
const maxConnections = 6

// connection is one connection of a viewer; it has at most one request at a time. The viewer's mutex guards it.
type connection struct {
	viewer    *Viewer
	origin    string
	stream    tcpreader.Stream
	parser    httpstream.Parser
	via       *proxy.Choice // that gets requests with their whole address; nil for none
	request   *request
	served    int  // complete responses
	isOver    bool // no more requests
	isClosing bool
}

func originOf(target *url.URL) string { return target.Scheme + "://" + target.Host }

// send sends a request over an idle connection to its server, or over a new one. The caller holds the mutex.
func (v *Viewer) send(r *request) {
	now := monotonic.Nano()
	if r.startedAt == 0 {
		r.startedAt = now
	}
	v.requests[r] = struct{}{}
	if f := v.group.Client.MediaAddress(r.stage(), v.group.URL, r.target, "leads to a resource"); f != nil {
		v.requestFailed(r, f)
		return
	}
	origin := originOf(r.target)
	count := 0
	for _, c := range v.connections {
		if c.origin != origin || c.isOver {
			continue
		}
		if count++; c.request == nil {
			c.start(r)
			return
		}
	}
	if count >= maxConnections {
		v.requestFailed(r, failure.New(r.stage(), protocol.CauseConnections, "All %d connections to %s are busy.", maxConnections, origin))
		return
	}
	v.work.Add(1)
	go func() {
		defer v.work.Done()
		v.dial(r, origin)
	}()
}

// dial opens a connection for a request.
func (v *Viewer) dial(r *request, origin string) {
	ctx, cancel := context.WithTimeout(v.ctx, v.group.StageTimeout)
	defer cancel()
	var opening signalling.Opening
	opened, via, f := v.group.Client.ConnectHTTP(opening.In(ctx), r.target, false, v.group.TLS, tcpreader.UnderTLS)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if f != nil {
		v.requestFailed(r, f)
		return
	}
	if v.remote == nil {
		v.opened, v.local, v.remote = opening.Opened(), opened.LocalAddr(), opened.RemoteAddr()
	}
	if v.disconnecting || v.failure != nil || r.isOver {
		_ = opened.Close() // it is not needed any more
		return
	}
	c := &connection{viewer: v, origin: origin, via: via}
	stream, err := v.group.Streams.Take(opened, c)
	if err != nil {
		f := failure.Local(r.stage(), err)
		if f == nil {
			f = failure.New(r.stage(), protocol.CauseNoSocket, "%v.", err)
		}
		v.requestFailed(r, f)
		return
	}
	c.stream = stream
	v.connections = append(v.connections, c)
	c.start(r)
}

// start writes a request. The caller holds the mutex.
func (c *connection) start(r *request) {
	c.request, r.via = r, c.via
	r.sentAt = monotonic.Nano()
	text := texts.Get().(*[]byte)
	defer texts.Put(text)
	query := ""
	if c.viewer.group.CMCD {
		query = c.viewer.cmcd(r)
	}
	*text = r.appendTo((*text)[:0], query, c.viewer.headersFor(r.target), c.viewer.cookiesFor(r.target))
	if err := c.stream.Send(*text); err != nil {
		c.broken(err)
	}
}

// headersFor are the headers of a request to an address: the viewer's own only for the origin.
func (v *Viewer) headersFor(target *url.URL) []byte {
	if v.identity.Header == nil || v.identity.HeaderFor(v.group.URL, target) == nil {
		return plainHeaders
	}
	return v.headers
}

// cookiesFor is the value of Cookie of a request to an address: the viewer's own only for the origin, and what the server
// of the address has set.
func (v *Viewer) cookiesFor(target *url.URL) string {
	set := v.cookies.header(target)
	own := ""
	if header := v.identity.Header; header != nil && v.identity.HeaderFor(v.group.URL, target) != nil {
		own = header.Get("Cookie")
	}
	if own != "" && set != "" {
		return own + "; " + set
	}
	return own + set
}

// texts are reused for all requests.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// OwnerOfConnection is the viewer, whose connections share one simulated network.
func (c *connection) OwnerOfConnection() any { return c.viewer }

// Bytes receives what arrived.
func (c *connection) Bytes(data []byte, at int64) bool {
	v := c.viewer
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.disconnecting || v.failure != nil || c.isOver {
		return false
	}
	v.now = max(v.now, at)
	v.received += uint64(len(data))
	if err := c.parser.Write(c, data); err != nil {
		c.isOver = true
		if r := c.request; r != nil {
			c.request = nil
			v.requestFailed(r, r.invalid(err))
		}
		v.discard(c)
		return false
	}
	if c.isOver {
		v.discard(c)
	}
	return !c.isOver
}

// Ended reports that the server ended the connection.
func (c *connection) Ended(err error) {
	v := c.viewer
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.now = max(v.now, monotonic.Nano())
	if isEnd, _ := c.parser.Closed(c); !isEnd {
		c.broken(err)
	}
	v.discard(c)
}

// broken ends a connection that failed. A request that it may not have reached the server is sent once more, as
// browsers do: servers close idle connections. The caller holds the mutex.
func (c *connection) broken(err error) {
	c.isOver = true
	r := c.request
	c.request = nil
	v := c.viewer
	if r == nil || v.disconnecting || v.failure != nil {
		return
	}
	if c.served > 0 && c.parser.IsIdle() && !r.isResent {
		r.isResent = true
		v.send(r)
		return
	}
	if errors.Is(err, io.EOF) {
		v.requestFailed(r, failure.New(r.stage(), protocol.CauseClosed, "%s closed the connection after %s, before its response was complete.", signalling.Describe(r.target), r.elapsed()))
		return
	}
	v.requestFailed(r, failure.New(r.stage(), protocol.CauseClosed, "The connection to %s failed after %s: %v.", signalling.Describe(r.target), r.elapsed(), tcpmedia.Plain(err)))
}

// discard has a connection closed that is not used any more; not here, since its handler may be calling. The caller
// holds the mutex.
func (v *Viewer) discard(c *connection) {
	for i, other := range v.connections {
		if other == c {
			v.connections = append(v.connections[:i], v.connections[i+1:]...)
			break
		}
	}
	if c.isClosing || c.stream == nil {
		return
	}
	c.isClosing = true
	stream := c.stream
	v.work.Add(1)
	go func() {
		defer v.work.Done()
		_ = stream.Close(false) // the server has closed it, or nothing is expected from it
	}()
}

// Head decides by the head of a response. The caller holds the mutex.
func (c *connection) Head(response *http.Response) error {
	if c.request == nil {
		return httpstream.ErrNotHTTP // a response to nothing
	}
	return c.request.head(response, c.viewer)
}

// Body gets the next bytes of a response.
func (c *connection) Body(data []byte) error {
	if c.request == nil {
		return httpstream.ErrNotHTTP
	}
	return c.request.add(data, c.viewer)
}

// End reports the end of a response.
func (c *connection) End() error {
	r := c.request
	if r == nil {
		return httpstream.ErrNotHTTP
	}
	c.request = nil
	c.served++
	if !c.parser.KeepsAlive {
		c.isOver = true
	}
	c.viewer.responded(r)
	return nil
}

var _ httpstream.Sink = (*connection)(nil)
var _ tcpreader.Handler = (*connection)(nil)
