package httplive

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/httpstream"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/viewer"
)

// Viewer is one viewer: Connect once, Tick every second, Disconnect at the end.
type Viewer struct {
	tcpmedia.Viewer
	group    *Group
	identity signalling.Identity

	parser     httpstream.Parser
	target     *url.URL       // of the current request
	response   *http.Response // its head, once it has arrived
	redirect   *url.URL
	isAccepted bool
	key        string // of the WebSocket handshake
	frames     httpstream.Frames
	file       flv.File
	pictures   multipart
	message    jpeg
}

func newViewer(group *Group, identity signalling.Identity) *Viewer {
	v := &Viewer{group: group, identity: identity}
	v.Common = &group.common
	return v
}

// Again makes a viewer with the same headers.
func (v *Viewer) Again() viewer.Viewer { return newViewer(v.group, v.identity) }

// Tick does what is due each second and returns the failure that ended the viewer.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	f, _ := v.Viewer.Tick(now)
	return f
}

// Disconnect closes the connection; with force without a closing WebSocket frame. A second call does nothing.
func (v *Viewer) Disconnect(_ context.Context, force bool) error {
	v.Mutex.Lock()
	isFirst := !v.Disconnecting
	v.Disconnecting = true
	stream, connection := v.Stream, v.Connection
	v.Connection = nil
	v.Mutex.Unlock()
	switch {
	case stream != nil:
		if isFirst && !force && v.group.isWebSocket {
			_ = stream.Send(httpstream.CloseFrame()) // the end of the connection says the same
		}
		return stream.Close(force)
	case connection != nil:
		return connection.Close()
	}
	return nil
}
