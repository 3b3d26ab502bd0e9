package httplive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/httpstream"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
)

const readBuffer = 4 << 10

// Connect requests the stream, and returns when the server has accepted. Disconnect must be called whatever it returns.
func (v *Viewer) Connect(ctx, _ context.Context) *failure.Failure {
	f := v.request(ctx)
	if f == nil {
		v.Mutex.Lock()
		if f = v.Failure; f == nil { // the first bytes of the body came with the head
			f = v.PassToReader(v, monotonic.Nano())
		}
		v.Mutex.Unlock()
	}
	if f != nil {
		v.Locked(func() { v.Fail(f) })
	}
	return f
}

// request requests the stream and follows redirects.
func (v *Viewer) request(ctx context.Context) *failure.Failure {
	target := v.group.endpoint
	var opening signalling.Opening
	ctx = opening.In(ctx)
	for range signalling.MaxRedirects {
		redirect, f := v.requestAt(ctx, &opening, target)
		if f != nil || redirect == nil {
			return f
		}
		if f := v.group.Client.MediaAddress(failure.Signalling, v.group.endpoint, redirect, "redirects to an address"); f != nil {
			return f
		}
		target = redirect
	}
	return failure.New(failure.Signalling, protocol.CauseRedirects, "%s redirected more than %d times.", signalling.Describe(v.group.endpoint), signalling.MaxRedirects)
}

func (v *Viewer) requestAt(ctx context.Context, opening *signalling.Opening, target *url.URL) (redirect *url.URL, f *failure.Failure) {
	ctx, cancel := context.WithTimeout(ctx, v.group.StageTimeout)
	defer cancel()
	config := v.group.TLS
	connection, via, f := v.group.Client.ConnectHTTP(ctx, target, v.group.isWebSocket, config, tcpreader.UnderTLS)
	if f != nil {
		v.SetConnection(nil, opening.Opened())
		return nil, f
	}
	v.SetConnection(connection, opening.Opened())
	v.target = target
	// The end of ctx cancels all waiting.
	release := context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Unix(1, 0)) })
	startTime := time.Now()
	err := v.send(target, connection, via)
	if err == nil {
		err = v.readHead(connection)
	}
	if !release() && err == nil {
		err = os.ErrDeadlineExceeded
	}
	switch {
	case err != nil:
		return nil, noResponse(err, target, startTime)
	case v.redirect != nil:
		redirect, v.redirect = v.redirect, nil
		v.parser = httpstream.Parser{}
		v.SetConnection(nil, opening.Opened())
		_ = connection.Close() // another one follows
		return redirect, nil
	case v.response != nil:
		f := signalling.MediaRefusal(failure.Signalling, v.response, v.group.endpoint, target, v.identity, failure.Elapsed(startTime))
		return nil, via.Explain(f, v.response.StatusCode, signalling.Describe(target))
	}
	return nil, nil
}

// send writes the request, with the whole address for a proxy. It asks for no compression: media has it already.
func (v *Viewer) send(target *url.URL, connection net.Conn, via *proxy.Choice) error {
	request := &http.Request{Method: http.MethodGet, URL: target, Host: target.Host, Header: http.Header{
		"User-Agent": {signalling.UserAgent}, "Accept": {"*/*"}}}
	maps.Copy(request.Header, v.identity.HeaderFor(v.group.endpoint, target))
	if v.group.isWebSocket {
		v.key = httpstream.NewKey()
		request.Header.Set("Connection", "Upgrade")
		request.Header.Set("Upgrade", "websocket")
		request.Header.Set("Sec-WebSocket-Version", "13")
		request.Header.Set("Sec-WebSocket-Key", v.key)
	}
	if via == nil {
		return request.Write(connection)
	}
	if via.Authorization != "" {
		request.Header.Set("Proxy-Authorization", via.Authorization)
	}
	return request.WriteProxy(connection)
}

// readHead reads until the head of the response is complete.
func (v *Viewer) readHead(connection net.Conn) error {
	buffer := make([]byte, readBuffer)
	for {
		n, err := connection.Read(buffer)
		v.Mutex.Lock()
		if n > 0 {
			v.scan(buffer[:n], monotonic.Nano())
		}
		isOver := v.isAccepted || v.redirect != nil || v.response != nil || v.Failure != nil
		v.Mutex.Unlock()
		if isOver {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// noResponse makes a sentence of a connection that ended or timed out before the response.
func noResponse(err error, target *url.URL, startTime time.Time) *failure.Failure {
	var timeout net.Error
	where := signalling.Describe(target)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		return failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not respond within %s.", where, failure.Elapsed(startTime))
	case errors.Is(err, io.EOF):
		return failure.New(failure.Signalling, protocol.CauseClosed, "%s closed the connection after %s without a response; "+signalling.ClosedHint(target)+".", where, failure.Elapsed(startTime))
	}
	return failure.New(failure.Signalling, protocol.CauseClosed, "The connection to %s failed after %s: %v.", where, failure.Elapsed(startTime), tcpmedia.Plain(err))
}

// Head decides by the head of a response. The caller holds the mutex.
func (v *Viewer) Head(response *http.Response) error {
	switch status := response.StatusCode; {
	case v.group.isWebSocket && status == http.StatusSwitchingProtocols:
		if !httpstream.AcceptsKey(response, v.key) {
			return fmt.Errorf("%w: Sec-WebSocket-Accept does not match the request", httpstream.ErrNotWebSocket)
		}
		v.isAccepted = true
	case !v.group.isWebSocket && status == http.StatusOK:
		v.isAccepted = true
		if v.group.Format == MJPEG {
			return v.pictures.start(response.Header.Get("Content-Type"))
		}
	case status >= 300 && status < 400 && response.Header.Get("Location") != "":
		location, err := v.target.Parse(response.Header.Get("Location"))
		if err != nil {
			v.response = response
			return nil
		}
		v.redirect = location
	default:
		v.response = response
	}
	return nil
}
