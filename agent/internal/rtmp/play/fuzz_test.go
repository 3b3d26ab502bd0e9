package play

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/viewer"
)

// discardStream is a stream that accepts everything sent.
type discardStream struct{ sent int }

func (d *discardStream) Send(data []byte) error  { d.sent += len(data); return nil }
func (*discardStream) Flush()                    {}
func (*discardStream) Tune(float64)              {}
func (*discardStream) SetReading(bool)           {}
func (*discardStream) BoundBuffer(int)           {}
func (*discardStream) SeenUntil(now int64) int64 { return now }
func (*discardStream) RoundTrip() time.Duration  { return 0 }
func (*discardStream) Close(bool) error          { return nil }

var _ tcpreader.Stream = (*discardStream)(nil)

// watch feeds the bytes in pieces to a playing viewer, and returns what it counted.
func watch(wire, cuts []byte) (viewer.Reading, *discardStream) {
	d := &discardStream{}
	v := newViewer(NewGroup(Config{Address: rtmp.Address{Host: "host:1935", App: "live", Stream: "cam?key=secret"}, StageTimeout: time.Second}))
	v.Stream, v.step, v.AcceptedAt = d, playing, 1
	for i := 0; len(wire) > 0; i++ {
		piece := len(wire)
		if len(cuts) > 0 {
			piece = min(piece, int(cuts[i%len(cuts)])+1)
		}
		if !v.Bytes(wire[:piece], 1000) {
			break
		}
		wire = wire[piece:]
	}
	v.Ended(io.EOF)
	reading := v.Read(time.Unix(0, 1000))
	reading.Bytes = 0 // of a piece with an error, all counts
	return reading, d
}

// FuzzViewer feeds a hostile server's bytes in any pieces: the counts are the same as in one piece.
func FuzzViewer(f *testing.F) {
	var wire []byte
	for _, m := range []rtmp.Message{configuration, keyframe, sound, otherFrame} {
		wire = rtmp.AppendChunks(wire, 6, m, rtmp.FirstChunkSize)
	}
	f.Add(wire, []byte{0, 9})
	f.Add(rtmp.AppendChunks(nil, 5, rtmp.Message{Kind: rtmp.TypeCommand, Payload: rtmp.AppendAMF(nil, "onStatus", 0.0, nil, rtmp.Object{"level": "error", "code": "NetStream.Play.Failed"})}, rtmp.FirstChunkSize), []byte{3})
	f.Add(rtmp.AppendChunks(nil, 2, rtmp.Message{Kind: rtmp.TypeUserControl, Payload: []byte{0, 6, 0, 0, 0, 1}}, rtmp.FirstChunkSize), []byte{0})
	f.Fuzz(func(t *testing.T, wire, cuts []byte) {
		whole, d := watch(wire, nil)
		pieces, _ := watch(wire, cuts)
		one, other := whole.Failure, pieces.Failure
		whole.Failure, pieces.Failure = nil, nil
		if whole != pieces || one == nil || other == nil || one.Stage != other.Stage || one.Cause.String() != other.Cause.String() {
			t.Fatalf("%+v %v\n%+v %v", whole, one, pieces, other)
		}
		if d.sent > 200 {
			t.Fatalf("%d bytes were sent in response", d.sent)
		}
	})
}

// FuzzAnswers makes a hostile server respond to the handshake and the commands: Connect ends, with a failure or a
// stream.
func FuzzAnswers(f *testing.F) {
	command := func(values ...any) []byte {
		return rtmp.AppendChunks(nil, 3, rtmp.Message{Kind: rtmp.TypeCommand, Payload: rtmp.AppendAMF(nil, values...)}, rtmp.FirstChunkSize)
	}
	yes := append(append(command("_result", 1.0, nil, nil), command("_result", 2.0, nil, 1.0)...), command("onStatus", 0.0, nil, rtmp.Object{"code": "NetStream.Play.Start"})...)
	f.Add(yes)
	f.Add(append(binary.BigEndian.AppendUint32([]byte{2, 0, 0, 0, 0, 0, 4, 5, 0, 0, 0, 0}, 1), yes...))
	f.Add([]byte{0xff})
	f.Fuzz(func(t *testing.T, answers []byte) {
		ours, theirs := net.Pipe()
		go func() {
			_, _ = io.CopyN(io.Discard, theirs, 1+rtmp.HandshakeBytes)
			_, _ = theirs.Write(append([]byte{rtmp.Version}, make([]byte, 2*rtmp.HandshakeBytes)...))
			go func() { _, _ = io.Copy(io.Discard, theirs) }()
			_, _ = theirs.Write(answers)
			_ = theirs.Close()
		}()
		v := newViewer(NewGroup(Config{Address: rtmp.Address{Host: "host:1935", App: "live", Stream: "cam"}, StageTimeout: 10 * time.Second, Streams: tcpreader.NewPortable()}))
		v.Connection = ours
		failed := v.within(t.Context(), v.negotiate)
		if failed == nil && v.step != playing || failed != nil && (failed.Detail == "" || failed.Cause.String() == "timeout") {
			t.Errorf("%v at step %d", failed, v.step)
		}
		if err := v.Disconnect(t.Context(), false); err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
}
