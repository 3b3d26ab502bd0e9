package play

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
)

// step is the state of the session; the first three are also the transaction ids of the commands.
type step int

const (
	handshaking step = iota
	connecting
	creating
	requestingPlay
	playing
)

const (
	// ourWindow is after how many of our bytes a server should acknowledge; we send very little.
	ourWindow = 2_500_000
	// bufferMs is how much a server may send ahead.
	bufferMs = 3000
	// liveOrRecorded requests a live or recorded stream, whichever exists.
	liveOrRecorded = -2000.0
	readBuffer     = 4 << 10
)

// Connect goes from the name to a playing stream. Disconnect must be called whatever it returns.
func (v *Viewer) Connect(ctx, _ context.Context) *failure.Failure {
	f := v.open(ctx)
	for f == nil && v.isChallenged {
		f = v.reopen(ctx)
	}
	if f == nil {
		f = v.passToReader()
	}
	if f != nil {
		v.Locked(func() { v.Fail(f) })
	}
	return f
}

func (v *Viewer) open(ctx context.Context) *failure.Failure {
	f := v.within(ctx, v.dial)
	if f == nil {
		f = v.within(ctx, v.negotiate)
	}
	return f
}

// reopen connects again to a server that refused connect with a challenge, with the response to it.
func (v *Viewer) reopen(ctx context.Context) *failure.Failure {
	v.Locked(func() {
		_ = v.Connection.Close() // the server closes it too
		v.isChallenged, v.step, v.scanner = false, handshaking, rtmp.Scanner{Sink: (*sink)(v)}
		v.Received, v.window, v.acknowledged, v.isPinged = 0, 0, 0, false
	})
	return v.open(ctx)
}

func (v *Viewer) within(ctx context.Context, do func(context.Context) *failure.Failure) *failure.Failure {
	ctx, cancel := context.WithTimeout(ctx, v.group.StageTimeout)
	defer cancel()
	return do(ctx)
}

func (v *Viewer) dial(ctx context.Context) *failure.Failure {
	config := v.group.TLS
	if !v.group.Address.Secure {
		config = nil
	}
	var opening signalling.Opening
	connection, f := v.group.Client.Connect(opening.In(ctx), v.group.Address.Host, config, tcpreader.UnderTLS)
	v.SetConnection(connection, opening.Opened())
	return f
}

// negotiate performs the handshake and sends the commands of a player (section 7.2 of the specification).
func (v *Viewer) negotiate(ctx context.Context) *failure.Failure {
	connection := v.Connection
	// The end of ctx cancels all waiting.
	release := context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Unix(1, 0)) })
	startTime := time.Now()
	err := rtmp.Handshake(connection)
	var f *failure.Failure
	buffer := make([]byte, readBuffer)
	for _, one := range []struct {
		step    step
		request func() error
	}{{connecting, v.connect}, {creating, v.create}, {requestingPlay, v.play}} {
		if err == nil && f == nil && !v.isChallenged {
			f, err = v.request(one.step, one.request, buffer)
		}
	}
	if !release() && err == nil && f == nil {
		err = os.ErrDeadlineExceeded
	}
	if err != nil && f == nil {
		f = v.noAnswer(err, startTime)
	}
	return f
}

// request sends a command and reads until its response; an error is one of the connection.
func (v *Viewer) request(at step, request func() error, buffer []byte) (*failure.Failure, error) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.step = at
	if err := request(); err != nil {
		return nil, err
	}
	for v.step == at && v.Failure == nil && !v.isChallenged {
		v.Mutex.Unlock()
		n, err := v.Connection.Read(buffer)
		v.Mutex.Lock()
		if n > 0 {
			v.scan(buffer[:n], monotonic.Nano())
		}
		if at == requestingPlay && v.FirstMediaAt != 0 { // a server that starts without a response
			v.step = playing
		}
		if err != nil && v.step == at && v.Failure == nil && !v.isChallenged {
			return nil, err
		}
	}
	return v.Failure, nil
}

func (v *Viewer) connect() error {
	address := v.login.Address(v.group.Address)
	return v.sendCommand(0, "connect", float64(connecting), rtmp.Object{"app": address.App, "tcUrl": address.TCURL(), "flashVer": "LNX 9,0,124,2", "fpad": false,
		"capabilities": 15.0, "audioCodecs": 4071.0, "videoCodecs": 252.0, "videoFunction": 1.0, "objectEncoding": 0.0,
		"fourCcList": []any{"av01", "vp09", "hvc1", "avc1"}})
}

func (v *Viewer) create() error {
	return errors.Join(
		v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeWindowAckSize, Payload: binary.BigEndian.AppendUint32(nil, ourWindow)}),
		v.sendCommand(0, "createStream", float64(creating), nil))
}

func (v *Viewer) play() error {
	v.Before = v.Received
	buffer := binary.BigEndian.AppendUint32([]byte{0, rtmp.EventBufferLength}, v.number)
	var onlyAudio error
	if v.group.AudioOnly { // section 7.2.2.5; a server need not know it
		onlyAudio = v.send(playChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: v.number, Payload: rtmp.AppendAMF(nil, "receiveVideo", 0.0, nil, false)})
	}
	return errors.Join(
		onlyAudio,
		v.send(playChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: v.number, Payload: rtmp.AppendAMF(nil, "play", float64(requestingPlay), nil, v.group.Address.Stream, liveOrRecorded)}),
		v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeUserControl, Payload: binary.BigEndian.AppendUint32(buffer, bufferMs)}))
}

func (v *Viewer) sendCommand(stream uint32, values ...any) error {
	return v.send(commandChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: stream, Payload: rtmp.AppendAMF(nil, values...)})
}

// passToReader passes the connection to the reader of all streams. The mutex delays what it reads until the stream is
// known.
func (v *Viewer) passToReader() *failure.Failure {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	return v.PassToReader(v, monotonic.Nano())
}

// noAnswer makes a sentence of a connection that ended or timed out while a response was expected.
func (v *Viewer) noAnswer(err error, startTime time.Time) *failure.Failure {
	host := v.group.Address.Host
	expected := [...]string{handshaking: "the RTMP handshake", connecting: fmt.Sprintf("connect (%s)", v.group.Address.Application()),
		creating: "createStream", requestingPlay: "play"}[v.step]
	var other *rtmp.NotRTMPError
	var timeout net.Error
	isTimeout := errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	// Linux reports a reset as such, and as a broken pipe when something is sent; macOS and Windows use other numbers.
	isClosed := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.ECONNABORTED) || errors.Is(err, syscall.EPIPE)
	switch {
	case errors.As(err, &other):
		return failure.New(failure.Signalling, protocol.CauseNotRTMP, "%s %v.", host, other)
	case isTimeout && v.step == handshaking:
		return failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not respond to the RTMP handshake within %s; it may not be an RTMP server.", host, failure.Elapsed(startTime))
	case isTimeout:
		return failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not respond to %s within %s.", host, expected, failure.Elapsed(startTime))
	case v.step == handshaking:
		return failure.New(failure.Signalling, protocol.CauseClosed, "%s closed the connection during the RTMP handshake after %s; it may not be an RTMP server, require rtmps, or have reached its limit of connections.", host, failure.Elapsed(startTime))
	case isClosed && v.step == requestingPlay:
		return failure.New(failure.Signalling, protocol.CauseClosed, "%s closed the connection after %s in response to play; the stream may not be published or have another name, or the server forbids it or has reached its limit of viewers: see its log.", host, failure.Elapsed(startTime))
	case isClosed && v.step == connecting:
		return failure.New(failure.Signalling, protocol.CauseClosed, "%s closed the connection after %s in response to %s; it may have no such application or virtual host, or not allow it: see its log.", host, failure.Elapsed(startTime), expected)
	case isClosed:
		return failure.New(failure.Signalling, protocol.CauseClosed, "%s closed the connection after %s in response to %s; see its log.", host, failure.Elapsed(startTime), expected)
	}
	return failure.New(failure.Signalling, protocol.CauseClosed, "The connection to %s failed after %s, waiting for the response to %s: %v.", host, failure.Elapsed(startTime), expected, tcpmedia.Plain(err))
}
