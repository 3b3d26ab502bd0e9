package httplive

import (
	"errors"
	"fmt"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/httpstream"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
)

// Bytes receives what arrived.
func (v *Viewer) Bytes(data []byte, at int64) bool {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	if v.Disconnecting || v.Failure != nil {
		return false
	}
	v.scan(data, at)
	v.Settle()
	return v.Failure == nil
}

// Ended reports that the server ended the connection.
func (v *Viewer) Ended(err error) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.EndOf(err)
}

// errEnded ends the scan when the failure is known already.
var errEnded = errors.New("ended")

// scan counts what arrived. The caller holds the mutex.
func (v *Viewer) scan(data []byte, at int64) {
	v.Now = max(v.Now, at) // the kernel's time of buffered data is before that of the first read
	v.Received += uint64(len(data))
	host := v.Common.Host
	err := v.parser.Write(v, data)
	var unsent *sendError
	switch {
	case err == nil || errors.Is(err, errEnded):
	case errors.Is(err, tcpreader.ErrFull):
		v.Fail(failure.New(v.At(), protocol.CauseStuck, "%s requests responses, but does not read them.", host))
	case errors.As(err, &unsent):
		v.Fail(failure.New(v.At(), protocol.CauseClosed, "The connection to %s failed while sending a response: %v.", host, unsent.because))
	case errors.Is(err, httpstream.ErrNotHTTP):
		v.Fail(failure.New(v.At(), protocol.CauseNotHTTP, "%s: %v.", host, err))
	case errors.Is(err, httpstream.ErrNotWebSocket):
		v.Fail(failure.New(v.At(), protocol.CauseNotWebsocket, "%s: %v.", host, err))
	default:
		v.Fail(failure.New(v.At(), map[Format]protocol.Cause{FLV: protocol.CauseNotFLV, MJPEG: protocol.CauseNotMJPEG}[v.group.Format], "%s: %v.", host, err))
	}
}

// Body gets the next bytes of the response. The caller holds the mutex.
func (v *Viewer) Body(data []byte) error {
	switch {
	case !v.isAccepted:
		return nil // of a refusal or a redirect
	case v.group.isWebSocket:
		return v.frames.Write((*messages)(v), data)
	}
	return v.media(data)
}

// End reports the end of the response, which a live stream has only when it ends.
func (v *Viewer) End() error {
	if !v.isAccepted {
		return nil
	}
	v.endOfStream("ended the response")
	return errEnded
}

func (v *Viewer) endOfStream(how string) {
	if v.FirstMediaAt == 0 {
		v.Fail(failure.New(v.At(), protocol.CauseUnpublished, "%s %s before any media; the stream may not be published, or the server forbids it: see its log.", v.Common.Host, how))
		return
	}
	v.Fail(failure.New(failure.Media, protocol.CauseUnpublished, "%s %s %s after the first media.", v.Common.Host, how, failure.Since(v.FirstMediaAt)))
}

func (v *Viewer) media(data []byte) error {
	if v.group.Format == MJPEG {
		return v.pictures.write(data, v.picture)
	}
	return v.file.Write((*tags)(v), data)
}

// picture counts one picture of MJPEG. Each is complete in itself.
func (v *Viewer) picture() {
	v.Codec = "JPEG"
	v.CountVideo(true)
}

// tags separates the calls of the FLV parser from the viewer's own methods.
type tags Viewer

// Media counts a message.
func (t *tags) Media(m flv.Message) {
	v := (*Viewer)(t)
	switch m.Kind {
	case flv.TypeVideo:
		v.CountFLVVideo(m)
	case flv.TypeAudio:
		v.CountFLVAudio(m.Head)
	}
}

// messages separates the calls of the WebSocket parser from the viewer's own methods.
type messages Viewer

// Data gets a part of a message. FLV continues across messages; of MJPEG each is one picture.
func (m *messages) Data(data []byte) error {
	v := (*Viewer)(m)
	if v.group.Format == MJPEG {
		return v.message.write(data)
	}
	return v.media(data)
}

func (m *messages) EndOfMessage() error {
	v := (*Viewer)(m)
	if v.group.Format == MJPEG && v.message.take() {
		v.picture()
	}
	return nil
}

func (m *messages) Ping(payload []byte) error {
	v := (*Viewer)(m)
	return v.respond(httpstream.Pong(payload))
}

func (m *messages) Close(code int, words string) error {
	v := (*Viewer)(m)
	how := "closed the WebSocket"
	if code != 0 {
		how = fmt.Sprintf("closed the WebSocket with code %d", code)
	}
	if words = failure.Excerpt(words); words != "" {
		how += fmt.Sprintf(" (%s)", words)
	}
	v.endOfStream(how)
	return errEnded
}

// sendError is a failure to send, not of what was received.
type sendError struct{ because error }

func (e *sendError) Error() string { return e.because.Error() }
func (e *sendError) Unwrap() error { return e.because }

// respond sends on whatever owns the connection. The caller holds the mutex.
func (v *Viewer) respond(data []byte) error {
	var err error
	if v.Stream != nil {
		err = v.Stream.Send(data)
	} else {
		_, err = v.Connection.Write(data)
	}
	if err != nil {
		return &sendError{tcpmedia.Plain(err)}
	}
	return nil
}

var _ httpstream.Sink = (*Viewer)(nil)
