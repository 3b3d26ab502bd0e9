package signalling

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/trust"
)

// progress is the stage of a request. It is passed in the context, because net/http neither reports it nor cancels
// dialling when a request ends.
type progress struct {
	stage    atomic.Value // failure.Stage
	deadline time.Time
}

type progressKey struct{}

// requestTimeout bounds a request without a deadline.
const requestTimeout = time.Minute

// withProgress starts a request.
func withProgress(ctx context.Context) (context.Context, *progress, context.CancelFunc) {
	cancel := context.CancelFunc(func() {})
	deadline, bounded := ctx.Deadline()
	if !bounded {
		deadline = time.Now().Add(requestTimeout)
		ctx, cancel = context.WithDeadline(ctx, deadline)
	}
	at := &progress{deadline: deadline}
	at.stage.Store(failure.Name)
	return context.WithValue(ctx, progressKey{}, at), at, cancel
}

// atStage sets the stage and bounds it by the request's deadline.
func atStage(ctx context.Context, stage failure.Stage) (context.Context, context.CancelFunc) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return context.WithCancel(ctx)
	}
	p.stage.Store(stage)
	return context.WithDeadline(ctx, p.deadline)
}

// done records that the connection is established.
func done(ctx context.Context) {
	if p, ok := ctx.Value(progressKey{}).(*progress); ok {
		p.stage.Store(failure.Signalling)
	}
}

// stageError passes the stage through net/http, which wraps it.
type stageError struct{ failure *failure.Failure }

func (e *stageError) Error() string { return e.failure.Error() }

func (s *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	ctx, cancel := atStage(ctx, failure.Name)
	defer cancel()
	addresses, err := s.names.resolve(ctx, s.Resolver, host)
	if err != nil {
		return nil, &stageError{nameFailure(ctx, host, err)}
	}
	var dialer net.Dialer
	startTime := time.Now()
	ctx, cancelTCP := atStage(ctx, failure.TCP)
	defer cancelTCP()
	for i, ip := range addresses {
		var connection net.Conn
		if connection, err = dialShare(ctx, &dialer, len(addresses)-i, network, net.JoinHostPort(ip.String(), port)); err == nil {
			done(ctx)
			completed(ctx, tcpStep)
			return connection, nil
		}
		if f := exhausted(failure.TCP, ip, err); f != nil {
			return nil, &stageError{f}
		}
		if ctx.Err() != nil {
			break
		}
	}
	cause := protocol.CauseUnreachable
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		cause = protocol.CauseRefused
	case ctx.Err() != nil || isTimeout(err):
		cause = protocol.CauseTimeout
	}
	return nil, &stageError{failure.New(failure.TCP, cause, "The TCP connection to %s failed after %s: %v.", address, failure.Elapsed(startTime), err)}
}

// dialShare gives an address its share of the remaining time, so that a dead one leaves time for the others.
func dialShare(ctx context.Context, dialer *net.Dialer, shares int, network, address string) (net.Conn, error) {
	if deadline, bounded := ctx.Deadline(); bounded && shares > 1 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(shares))
		defer cancel()
	}
	return dialer.DialContext(ctx, network, address)
}

func (s *Client) dialTLS(ctx context.Context, _, address string) (net.Conn, error) {
	plain, err := s.dialThrough(ctx, "https", address)
	if err != nil {
		return nil, err
	}
	return s.secure(ctx, plain, address, s.TLS())
}

// secure takes over a connection: it becomes TLS, or is closed.
func (s *Client) secure(ctx context.Context, plain net.Conn, address string, config *tls.Config) (net.Conn, error) {
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, errors.Join(err, plain.Close())
		}
		config = config.Clone()
		config.ServerName, _, _ = strings.Cut(host, "%") // a certificate has no zone
	}
	startTime := time.Now()
	ctx, cancel := atStage(ctx, failure.TLS)
	defer cancel()
	secure := tls.Client(plain, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		cause := protocol.CauseHandshake
		var unknown x509.UnknownAuthorityError
		var invalid x509.CertificateInvalidError
		var name x509.HostnameError
		switch {
		case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &name):
			cause = protocol.CauseCertificate
		case ctx.Err() != nil || isTimeout(err):
			cause = protocol.CauseTimeout
		}
		detail := fmt.Sprintf("The TLS handshake with %s failed after %s: %s", address, failure.Elapsed(startTime), trust.Explain(err))
		return nil, errors.Join(&stageError{failure.New(failure.TLS, cause, "%s.", detail)}, plain.Close())
	}
	done(ctx)
	completed(ctx, tlsStep)
	return secure, nil
}

// Addresses are those of a host, as its name is resolved for all viewers.
func (s *Client) Addresses(ctx context.Context, host string) ([]netip.Addr, *failure.Failure) {
	addresses, err := s.names.resolve(ctx, s.Resolver, host)
	if err != nil {
		return nil, nameFailure(ctx, host, err)
	}
	return addresses, nil
}

// LocalAddress is this machine's address on the route to the endpoint: the one host candidate. No packet is sent.
func (s *Client) LocalAddress(ctx context.Context, endpoint *url.URL) (netip.Addr, *failure.Failure) {
	port := endpoint.Port()
	if port == "" {
		port = "443" // any port
	}
	addresses, f := s.Addresses(ctx, endpoint.Hostname())
	if f != nil {
		return netip.Addr{}, f
	}
	var err error
	for _, address := range addresses {
		var dialer net.Dialer
		var connection net.Conn
		if connection, err = dialer.DialContext(ctx, "udp", net.JoinHostPort(address.String(), port)); err != nil {
			if f := exhausted(failure.TCP, address, err); f != nil {
				return netip.Addr{}, f
			}
			continue
		}
		local := connection.LocalAddr().(*net.UDPAddr).AddrPort().Addr().Unmap().WithZone("")
		return local, closeFailure(connection.Close())
	}
	return netip.Addr{}, failure.New(failure.TCP, protocol.CauseUnreachable, "%s is unreachable: %v.", endpoint.Host, err)
}

// Resolve returns the addresses of a name, or of an address itself.
func (s *Client) Resolve(ctx context.Context, host string) ([]netip.Addr, *failure.Failure) {
	addresses, err := s.names.resolve(ctx, s.Resolver, host)
	if err != nil {
		return nil, nameFailure(ctx, host, err)
	}
	return addresses, nil
}

// exhausted is the failure of a socket for lack of a resource of this machine; nil for any other error.
func exhausted(stage failure.Stage, to netip.Addr, err error) *failure.Failure {
	if to.Is6() && errors.Is(err, syscall.EADDRNOTAVAIL) {
		return nil // this machine has no address of that family, which does not mean that ports are exhausted
	}
	return failure.Local(stage, err)
}

func closeFailure(err error) *failure.Failure {
	if err == nil {
		return nil
	}
	return failure.New(failure.ICE, protocol.CauseNoSocket, "Closing a socket failed: %v.", err)
}

func nameFailure(ctx context.Context, host string, err error) *failure.Failure {
	if f := failure.Local(failure.Name, err); f != nil {
		return f
	}
	var dns *net.DNSError
	cause := protocol.CauseUnresolved
	switch {
	case ctx.Err() != nil || errors.As(err, &dns) && dns.IsTimeout:
		cause = protocol.CauseTimeout
	case errors.As(err, &dns) && dns.IsNotFound:
		cause = protocol.CauseNotFound
	}
	return failure.New(failure.Name, cause, "The name %s was not resolved: %v.", host, err)
}
