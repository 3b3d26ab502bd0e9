package play

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/steady"
)

// step is how far the talk with the server is; the first three are also the numbers of the commands.
type step int

const (
	shaking step = iota
	connecting
	creating
	asking
	playing
)

const (
	// ourWindow is after how many of our bytes a server may want to acknowledge; we send hardly any.
	ourWindow = 2_500_000
	// bufferMs is how much a server may send ahead.
	bufferMs = 3000
	// liveOrRecorded asks for whatever there is under a name.
	liveOrRecorded = -2000.0
	readBuffer     = 4 << 10
)

// Connect goes from the name to a stream that plays. Whatever it returns, Leave must be called.
func (v *Viewer) Connect(ctx, _ context.Context) *failure.Failure {
	f := v.within(ctx, v.dial)
	if f == nil {
		f = v.within(ctx, v.negotiate)
	}
	if f == nil {
		f = v.handOver()
	}
	if f != nil {
		v.locked(func() { v.fail(f) })
	}
	return f
}

func (v *Viewer) within(ctx context.Context, do func(context.Context) *failure.Failure) *failure.Failure {
	ctx, cancel := context.WithTimeout(ctx, v.crowd.StageTimeout)
	defer cancel()
	return do(ctx)
}

func (v *Viewer) dial(ctx context.Context) *failure.Failure {
	config := v.crowd.TLS
	if !v.crowd.Address.Secure {
		config = nil
	}
	connection, f := v.crowd.Signaller.Connect(ctx, v.crowd.Address.Host, config, harvest.UnderTLS)
	v.locked(func() {
		v.connection = connection
		if f == nil {
			v.connectedAt = steady.Nano()
			v.local, v.remote = addressOf(connection.LocalAddr()), addressOf(connection.RemoteAddr())
		}
	})
	return f
}

// negotiate goes through the handshake and the commands of a player (section 7.2 of the specification).
func (v *Viewer) negotiate(ctx context.Context) *failure.Failure {
	connection := v.connection
	// The end of ctx ends whatever is waited for.
	release := context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Unix(1, 0)) })
	began := time.Now()
	err := rtmp.Handshake(connection)
	var f *failure.Failure
	buffer := make([]byte, readBuffer)
	for _, one := range []struct {
		step step
		ask  func() error
	}{{connecting, v.connect}, {creating, v.create}, {asking, v.play}} {
		if err == nil && f == nil {
			f, err = v.ask(one.step, one.ask, buffer)
		}
	}
	if !release() && err == nil && f == nil {
		err = os.ErrDeadlineExceeded
	}
	if err != nil && f == nil {
		f = v.noAnswer(err, began)
	}
	return f
}

// ask sends a command and reads until it is answered; an error is one of the connection.
func (v *Viewer) ask(at step, ask func() error, buffer []byte) (*failure.Failure, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.step = at
	if err := ask(); err != nil {
		return nil, err
	}
	for v.step == at && v.failure == nil {
		v.mutex.Unlock()
		n, err := v.connection.Read(buffer)
		v.mutex.Lock()
		if n > 0 {
			v.scan(buffer[:n], steady.Nano())
		}
		if at == asking && v.firstMediaAt != 0 { // a server that begins without a word
			v.step = playing
		}
		if err != nil && v.step == at && v.failure == nil {
			return nil, err
		}
	}
	return v.failure, nil
}

func (v *Viewer) connect() error {
	address := v.crowd.Address
	return v.say(0, "connect", float64(connecting), rtmp.Object{"app": address.App, "tcUrl": address.TCURL(), "flashVer": "LNX 9,0,124,2", "fpad": false,
		"capabilities": 15.0, "audioCodecs": 4071.0, "videoCodecs": 252.0, "videoFunction": 1.0, "objectEncoding": 0.0,
		"fourCcList": []any{"av01", "vp09", "hvc1", "avc1"}})
}

func (v *Viewer) create() error {
	return errors.Join(
		v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeWindowAckSize, Payload: binary.BigEndian.AppendUint32(nil, ourWindow)}),
		v.say(0, "createStream", float64(creating), nil))
}

func (v *Viewer) play() error {
	v.before = v.scanner.Received
	buffer := binary.BigEndian.AppendUint32([]byte{0, rtmp.EventBufferLength}, v.number)
	return errors.Join(
		v.send(playChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: v.number, Payload: rtmp.AppendAMF(nil, "play", float64(asking), nil, v.crowd.Address.Stream, liveOrRecorded)}),
		v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeUserControl, Payload: binary.BigEndian.AppendUint32(buffer, bufferMs)}))
}

func (v *Viewer) say(stream uint32, values ...any) error {
	return v.send(commandChunks, rtmp.Message{Kind: rtmp.TypeCommand, Stream: stream, Payload: rtmp.AppendAMF(nil, values...)})
}

// handOver gives the connection to the reader of all streams. The mutex keeps what it reads waiting until the stream is known.
func (v *Viewer) handOver() *failure.Failure {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.playingAt = steady.Nano()
	v.measuredAt, v.measuredBytes = v.playingAt, v.scanner.Received
	connection := v.connection
	v.connection = nil
	stream, err := v.crowd.Streams.Take(connection, v)
	if f := failure.Here(failure.FirstPacket, err); f != nil {
		return f
	}
	if err != nil {
		return failure.New(failure.FirstPacket, "no-socket", "%v.", err)
	}
	v.stream = stream
	v.settle()
	return nil
}

// noAnswer makes a sentence of a connection that ended, or stayed silent, while something was wanted.
func (v *Viewer) noAnswer(err error, began time.Time) *failure.Failure {
	host := v.crowd.Address.Host
	wanted := [...]string{shaking: "the RTMP handshake", connecting: fmt.Sprintf("the application %q", v.crowd.Address.App), creating: "a stream", asking: "to play"}[v.step]
	var other *rtmp.NotRTMPError
	var timeout net.Error
	isTimeout := errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	switch {
	case errors.As(err, &other):
		return failure.New(failure.Signalling, "not-rtmp", "%s %v.", host, other)
	case isTimeout && v.step == shaking:
		return failure.New(failure.Signalling, "timeout", "%s did not answer the RTMP handshake within %s; it may be no RTMP server.", host, failure.Elapsed(began))
	case isTimeout:
		return failure.New(failure.Signalling, "timeout", "%s did not answer within %s when it was asked for %s.", host, failure.Elapsed(began), wanted)
	case v.step == shaking:
		return failure.New(failure.Signalling, "closed", "%s closed the connection during the RTMP handshake after %s; it may be no RTMP server, or want rtmps.", host, failure.Elapsed(began))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return failure.New(failure.Signalling, "closed", "%s closed the connection after %s when it was asked for %s; its log may say why.", host, failure.Elapsed(began), wanted)
	}
	return failure.New(failure.Signalling, "closed", "The connection to %s broke after %s when it was asked for %s: %v.", host, failure.Elapsed(began), wanted, plain(err))
}
