package signalling

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/url"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// maxMessageBytes is more than a message about a room with thousands of participants.
const maxMessageBytes = 4 << 20

// OpenWebSocket opens a WebSocket at an http or https address. The end of ctx only cancels the opening. The token is
// sent as a header, so it is in no address, and it is removed from the server's errors.
func (s *Client) OpenWebSocket(ctx context.Context, target *url.URL, token string) (*websocket.Conn, *failure.Failure) {
	ctx, at, cancel := withProgress(context.WithValue(ctx, tunnelKey{}, true))
	defer cancel()
	as := Identity{Token: token}
	header := http.Header{"User-Agent": {userAgent}}
	maps.Copy(header, as.HeaderFor(target, target))
	startTime := time.Now()
	address := target.String()
	// The query is for the server; sentences use the rest of the address.
	target = &url.URL{Scheme: target.Scheme, Host: target.Host, Path: target.Path}
	connection, response, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: s.client, HTTPHeader: header})
	if err == nil {
		connection.SetReadLimit(maxMessageBytes)
		return connection, nil
	}
	if response == nil {
		return nil, requestFailure(ctx, at, err, target, startTime)
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil, failure.New(failure.Signalling, protocol.CauseNotWebsocket, "%s did not open a WebSocket: %v.", describe(target), err)
	}
	body, _ := io.ReadAll(response.Body) // limited in size; a partial body is enough
	return nil, refusal(response, target, target, string(body), as, failure.Elapsed(startTime))
}
