package signalling

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
)

// maxTunnelHead is many times a proxy's answer to CONNECT.
const maxTunnelHead = 16 << 10

// tunnelKey marks a request without TLS that needs a tunnel, as a WebSocket does.
type tunnelKey struct{}

// proxyOf is the proxy of a request that names its whole address: only those without TLS do, and no WebSocket.
func (s *Client) proxyOf(request *http.Request) (*url.URL, error) {
	if request.URL.Scheme != "http" || request.Context().Value(tunnelKey{}) != nil {
		return nil, nil
	}
	via, f := s.Proxies.For(request.URL)
	switch {
	case f != nil:
		return nil, &stageError{f}
	case via == nil:
		return nil, nil
	}
	return via.URL, nil
}

// dialHTTP opens the connection of a request without TLS: to its server, to its proxy, or through that.
func (s *Client) dialHTTP(ctx context.Context, network, address string) (net.Conn, error) {
	if ctx.Value(tunnelKey{}) != nil {
		return s.dialThrough(ctx, "http", address)
	}
	connection, err := s.dial(ctx, network, address)
	if err == nil {
		return connection, nil
	}
	// net/http dials either; the rules know which it is, whatever the host.
	if via, _ := s.Proxies.For(&url.URL{Scheme: "http", Host: unknownHost}); via != nil && via.Address == address {
		return nil, unreachable(via, err)
	}
	return nil, err
}

// unknownHost is in no list of exceptions but "*".
const unknownHost = "host.invalid"

func unreachable(via *proxy.Choice, err error) error {
	var staged *stageError
	if errors.As(err, &staged) {
		return &stageError{via.Unreachable(staged.failure)}
	}
	return err
}

// dialThrough opens a connection to a server of HTTP or WebSocket, through its proxy if it has one.
func (s *Client) dialThrough(ctx context.Context, scheme, address string) (net.Conn, error) {
	via, f := s.Proxies.For(&url.URL{Scheme: scheme, Host: address})
	switch {
	case f != nil:
		return nil, &stageError{f}
	case via == nil:
		return s.dial(ctx, "tcp", address)
	}
	connection, err := s.dial(ctx, "tcp", via.Address)
	if err != nil {
		return nil, unreachable(via, err)
	}
	if f := s.tunnel(ctx, connection, via, address); f != nil {
		return nil, errors.Join(&stageError{f}, connection.Close())
	}
	done(ctx)
	return connection, nil
}

// tunnel asks a proxy for a connection to an address.
func (s *Client) tunnel(ctx context.Context, connection net.Conn, via *proxy.Choice, address string) *failure.Failure {
	ctx, cancel := atStage(ctx, failure.TCP)
	defer cancel()
	release := context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Unix(1, 0)) })
	login := ""
	if via.Authorization != "" {
		login = "Proxy-Authorization: " + via.Authorization + "\r\n"
	}
	_, err := fmt.Fprintf(connection, "CONNECT %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n%s\r\n", address, address, userAgent, login)
	var response *http.Response
	if err == nil {
		// Byte by byte: what follows the head is the server's.
		response, err = http.ReadResponse(bufio.NewReaderSize(&head{connection: connection}, 16), &http.Request{Method: http.MethodConnect})
	}
	if !release() {
		return failure.New(failure.TCP, protocol.CauseTimeout, "%s did not open a connection to %s in time.", via.Subject(), address)
	}
	switch {
	case err != nil:
		return failure.New(failure.TCP, protocol.CauseClosed, "%s did not answer the request for a connection to %s as a proxy does (%v).", via.Subject(), address, withoutAddress(err))
	case response.StatusCode/100 != 2:
		return via.Refusal(failure.TCP, response.StatusCode, address)
	}
	return nil
}

// head reads one byte at a time up to its limit.
type head struct {
	connection net.Conn
	count      int
}

func (h *head) Read(into []byte) (int, error) {
	if h.count++; h.count > maxTunnelHead {
		return 0, errNotHTTP
	}
	return h.connection.Read(into[:min(1, len(into))])
}

// explained completes the failure of a response that a proxy may have sent instead of the server.
func (s *Client) explained(f *failure.Failure, response *http.Response, target *url.URL) *failure.Failure {
	if target.Scheme != "http" {
		return f
	}
	via, _ := s.Proxies.For(target)
	return via.Explain(f, response.StatusCode, describe(target))
}

// ConnectHTTP makes a connection for requests to an http or https address: to its server, or through its proxy. Without TLS
// that is the returned one, which needs the whole address and its login in each request; a WebSocket gets a tunnel. Fails
// as Connect does.
func (s *Client) ConnectHTTP(ctx context.Context, target *url.URL, isWebSocket bool, config *tls.Config, under func(net.Conn) net.Conn) (net.Conn, *proxy.Choice, *failure.Failure) {
	port := target.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[target.Scheme]
	}
	address := net.JoinHostPort(target.Hostname(), port)
	var via *proxy.Choice
	var connection net.Conn
	var err error
	if target.Scheme == "http" && !isWebSocket {
		var f *failure.Failure
		if via, f = s.Proxies.For(target); f != nil {
			return nil, nil, f
		}
	}
	if via != nil {
		if connection, err = s.dial(ctx, "tcp", via.Address); err != nil {
			err = unreachable(via, err)
		}
	} else {
		connection, err = s.dialThrough(ctx, target.Scheme, address)
	}
	if err == nil && target.Scheme == "https" {
		connection, err = s.secure(ctx, under(connection), address, config)
	}
	var staged *stageError
	switch {
	case err == nil:
		return connection, via, nil
	case errors.As(err, &staged):
		return nil, nil, staged.failure
	}
	return nil, nil, failure.New(failure.Signalling, protocol.CauseBadURL, "Invalid address %s: %v.", address, err)
}
