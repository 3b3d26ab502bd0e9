package play

import (
	"context"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/tcpmedia"
)

// Viewer is one RTMP viewer: Connect once, Tick every second, Disconnect at the end.
type Viewer struct {
	tcpmedia.Viewer
	group *Group

	scanner rtmp.Scanner
	step    step
	number  uint32 // the message stream id from the server

	login        rtmp.Login
	isChallenged bool // connect was refused with a challenge that login answers
	isPinged     bool // and not responded to yet
	ping         [4]byte
	controls     int    // since the rate was last measured
	window       uint32 // bytes after which the server expects an acknowledgement, 0: never
	acknowledged uint64
}

func newViewer(group *Group) *Viewer {
	v := &Viewer{group: group}
	v.Common = &group.common
	v.scanner.Sink = (*sink)(v)
	return v
}

// Tick does what is due each second and returns the failure that ended the viewer.
func (v *Viewer) Tick(now time.Time) *failure.Failure {
	f, isMeasured := v.Viewer.Tick(now)
	if isMeasured {
		v.Locked(func() { v.controls = 0 })
	}
	return f
}

// Disconnect ends the stream and the connection; with force without deleteStream. A second call does nothing.
func (v *Viewer) Disconnect(_ context.Context, force bool) error {
	v.Mutex.Lock()
	v.Disconnecting = true
	stream, connection, number := v.Stream, v.Connection, v.number
	v.Connection, v.number = nil, 0
	v.Mutex.Unlock()
	switch {
	case stream != nil:
		if !force && number != 0 {
			// A server that accepts no more commands still sees the end of the connection.
			_ = stream.Send(deleteStream(number))
		}
		return stream.Close(force)
	case connection != nil:
		return connection.Close()
	}
	return nil
}
