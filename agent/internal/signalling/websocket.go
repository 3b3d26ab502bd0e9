package signalling

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
)

// maxMessageBytes is more than a server tells at once of a room with thousands of participants.
const maxMessageBytes = 4 << 20

// OpenWebSocket opens a WebSocket at an http or https address. The end of ctx ends the opening only. The token is sent as a header, so
// that it is in no address, and what the server says of it is told without it.
func (s *Signaller) OpenWebSocket(ctx context.Context, target *url.URL, token string) (*websocket.Conn, *failure.Failure) {
	ctx, at, cancel := withProgress(ctx)
	defer cancel()
	header := http.Header{"User-Agent": {userAgent}}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	began := time.Now()
	address := target.String()
	// What is asked for in the address is for the server; people know it by the rest.
	target = &url.URL{Scheme: target.Scheme, Host: target.Host, Path: target.Path}
	connection, response, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: s.client, HTTPHeader: header})
	if err == nil {
		connection.SetReadLimit(maxMessageBytes)
		return connection, nil
	}
	if response == nil {
		return nil, requestFailure(ctx, at, err, target, began)
	}
	if response.StatusCode == http.StatusSwitchingProtocols {
		return nil, failure.New(failure.Signalling, "not-websocket", "%s does not open a WebSocket as it should: %v.", describe(target), err)
	}
	body, _ := io.ReadAll(response.Body) // at most its beginning is there, and as much as came will do
	words := string(body)
	if token != "" {
		words = strings.ReplaceAll(words, token, "(token)")
	}
	return nil, refusal(response, target, target, words, token, failure.Elapsed(began))
}
