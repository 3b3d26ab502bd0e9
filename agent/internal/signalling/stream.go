package signalling

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// Connect makes a connection for a protocol other than HTTP, with TLS if configured. The TLS name is that of the
// address unless the configuration has one, and under prepares the connection below TLS. It fails at the stages name,
// tcp and tls with the sentences of a request.
func (s *Client) Connect(ctx context.Context, address string, config *tls.Config, under func(net.Conn) net.Conn) (net.Conn, *failure.Failure) {
	connection, err := s.dial(ctx, "tcp", address)
	if err == nil && config != nil {
		connection, err = s.secure(ctx, under(connection), address, config)
	}
	var staged *stageError
	switch {
	case err == nil:
		return connection, nil
	case errors.As(err, &staged):
		return nil, staged.failure
	}
	return nil, failure.New(failure.Signalling, protocol.CauseBadURL, "Invalid address %s: %v.", address, err)
}
