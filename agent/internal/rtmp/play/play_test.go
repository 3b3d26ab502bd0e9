package play

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"net"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/testing/rtmptest"
)

// waitTimeout is for a slow, busy machine; no passing test waits that long.
const waitTimeout = 30 * time.Second

func eventually(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitTimeout); !fits(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s", what)
		}
	}
}

// group makes viewers for an address.
func group(t *testing.T, address rtmp.Address, make func() (tcpreader.Streams, error)) *Group {
	t.Helper()
	streams, err := make()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := streams.Close(); err != nil {
			t.Error(err)
		}
	})
	return NewGroup(Config{Address: address, StageTimeout: waitTimeout, Client: signalling.NewClient(), Streams: streams})
}

func plainStreams() (tcpreader.Streams, error) { return tcpreader.NewPortable(), nil }

// join connects a viewer, which disconnects at the end of the test.
func join(t *testing.T, c *Group) (*Viewer, *failure.Failure) {
	t.Helper()
	v := newViewer(c)
	f := v.Connect(context.Background(), context.Background())
	t.Cleanup(func() {
		if err := v.Disconnect(context.Background(), true); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return v, f
}

// media is the media part of a server's messages.
var (
	configuration = rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: []byte{0x17, 0, 0, 0, 0, 1, 2, 3}}
	keyframe      = rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: append([]byte{0x17, 1, 0, 0, 0}, make([]byte, 3000)...)}
	otherFrame    = rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: append([]byte{0x27, 1, 0, 0, 0}, make([]byte, 300)...)}
	sound         = rtmp.Message{Kind: rtmp.TypeAudio, Stream: 7, Payload: []byte{0xaf, 1, 5, 5, 5}}
)

// stream responds to play with messages.
func stream(messages ...rtmp.Message) rtmptest.Reply {
	return func(c *rtmptest.Client, name string) bool {
		if name != "play" {
			return false
		}
		c.Accept()
		for _, m := range messages {
			c.Send(6, m, 50)
		}
		return true
	}
}

func bothWays(t *testing.T, test func(t *testing.T, make func() (tcpreader.Streams, error))) {
	t.Run("best", func(t *testing.T) { test(t, tcpreader.New) })
	t.Run("plain", func(t *testing.T) { test(t, plainStreams) })
}

func TestAViewerConnectsCountsAndDisconnects(t *testing.T) {
	bothWays(t, func(t *testing.T, make func() (tcpreader.Streams, error)) {
		s := rtmptest.Start(t, stream(configuration, keyframe, sound, otherFrame, sound, otherFrame))
		c := group(t, s.Address(), make)
		before := time.Now().UnixNano()
		v, f := join(t, c)
		if f != nil {
			t.Fatal(f)
		}
		eventually(t, "three frames", func() bool { return v.Read(time.Now()).Frames == 3 })
		if f := v.Tick(time.Now().Add(time.Second)); f != nil {
			t.Error(f)
		}
		r, longest := v.ReadInterval(time.Now())
		minimum := uint64(len(keyframe.Payload) + 2*len(otherFrame.Payload))
		if r.Packets != 5 || r.Bytes < minimum || r.Bytes > minimum+3000 || r.FirstPacketAt < before || r.FirstFrameAt < r.FirstPacketAt || r.Expected != 0 || r.HasJitter || longest < 0 {
			t.Errorf("%+v, %d", r, longest)
		}
		if err := v.Disconnect(context.Background(), false); err != nil {
			t.Error(err)
		}
		s.Stop()
		if got := strings.Join(s.Names(), " "); got != "connect createStream play deleteStream" {
			t.Errorf("%s", got)
		}
		commands := s.Commands()
		if connect := commands[0].Values[0].(map[string]any); connect["app"] != "live" || connect["tcUrl"] != "rtmp://"+s.Address().Host+"/live" {
			t.Errorf("%v", connect)
		}
		if play := commands[2].Values; play[1] != "cam?key=secret" || play[2] != -2000.0 {
			t.Errorf("%v", play)
		}
		if buffer := s.MessagesOfKind(rtmp.TypeUserControl); len(buffer) != 1 || !bytes.Equal(buffer[0].Payload, []byte{0, 3, 0, 0, 0, 7, 0, 0, 0x0b, 0xb8}) {
			t.Errorf("%+v", buffer)
		}
		if v.Read(time.Now()).Frames != 3 {
			t.Error("the figures are lost after Disconnect")
		}
	})
}

func TestRTMPSIsPulledTheSameWay(t *testing.T) {
	bothWays(t, func(t *testing.T, make func() (tcpreader.Streams, error)) {
		certified := httptest.NewTLSServer(nil) // for its certificate
		defer certified.Close()
		listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates})
		if err != nil {
			t.Fatal(err)
		}
		s := rtmptest.StartOn(t, listener, stream(configuration, keyframe, sound, otherFrame))
		address := s.Address()
		address.Secure = true
		c := group(t, address, make)
		if _, f := join(t, c); f == nil || f.Stage != failure.TLS || f.Cause.String() != "certificate" {
			t.Errorf("%v", f)
		}
		c.TLS.RootCAs = x509.NewCertPool()
		c.TLS.RootCAs.AddCert(certified.Certificate())
		v, f := join(t, c)
		if f != nil {
			t.Fatal(f)
		}
		eventually(t, "two frames", func() bool { return v.Read(time.Now()).Frames == 2 })
		if f := v.Tick(time.Now().Add(time.Second)); f != nil || v.Read(time.Now()).Packets != 3 {
			t.Errorf("%v, %+v", f, v.Read(time.Now()))
		}
		if err := v.Disconnect(context.Background(), false); err != nil {
			t.Error(err)
		}
		s.Stop()
		if got := strings.Join(s.Names(), " "); got != "connect createStream play deleteStream" {
			t.Errorf("%s", got)
		}
	})
}

func TestPingsAndWindowsAreAnswered(t *testing.T) {
	bothWays(t, func(t *testing.T, make func() (tcpreader.Streams, error)) {
		messages := []rtmp.Message{{Kind: rtmp.TypeUserControl, Payload: []byte{0, rtmp.EventPingRequest, 1, 2, 3, 4}}, keyframe}
		s := rtmptest.Start(t, stream(messages...)) // its window is 1,000 bytes
		if _, f := join(t, group(t, s.Address(), make)); f != nil {
			t.Fatal(f)
		}
		eventually(t, "a pong and an acknowledgement", func() bool {
			pongs, acknowledged := 0, uint32(0)
			for _, m := range s.MessagesOfKind(rtmp.TypeUserControl) {
				if bytes.Equal(m.Payload, []byte{0, rtmp.EventPingResponse, 1, 2, 3, 4}) {
					pongs++
				}
			}
			for _, m := range s.MessagesOfKind(rtmp.TypeAcknowledgement) {
				acknowledged = max(acknowledged, binary.BigEndian.Uint32(m.Payload))
			}
			return pongs == 1 && acknowledged > uint32(len(keyframe.Payload))
		})
	})
}

// TestStallsAreCountedPortionsAreNot lets a stream flow, stop for longer than a stall, and flow again.
func TestStallsAreCountedPortionsAreNot(t *testing.T) {
	clients := make(chan *rtmptest.Client, 1)
	s := rtmptest.Start(t, func(c *rtmptest.Client, name string) bool {
		if name == "play" {
			clients <- c
		}
		return false
	})
	v, f := join(t, group(t, s.Address(), tcpreader.New))
	if f != nil {
		t.Fatal(f)
	}
	c := <-clients
	c.Send(6, keyframe, 50)
	eventually(t, "the first frame", func() bool { return v.Read(time.Now()).Frames == 1 })
	v.Stream.Tune(1e6) // what follows is not worth a read
	c.Send(6, otherFrame, 50)
	eventually(t, "the second frame", func() bool { return v.Read(time.Now()).Frames == 2 })
	eventually(t, "an ongoing stall", func() bool { r := v.Read(time.Now()); return r.Stalls == 1 && r.GapNs >= 500e6 })
	c.Send(6, otherFrame, 50)
	eventually(t, "the third frame", func() bool { return v.Read(time.Now()).Frames == 3 })
	r, longest := v.ReadInterval(time.Now())
	if r.Stalls != 1 || r.StalledNs < 500e6 || longest < 500e6 {
		t.Errorf("%+v, longest %d", r, longest)
	}
}

// tuned is a stream that records how it was tuned.
type tuned struct {
	discardStream
	rate float64
}

func (s *tuned) Tune(bytesPerSecond float64) { s.rate = bytesPerSecond }

func TestALaterViewerIsTunedLikeTheOthersAfterItsFirstFrame(t *testing.T) {
	c := NewGroup(Config{StageTimeout: time.Hour})
	play := func() (*Viewer, *tuned) {
		v, s := newViewer(c), &tuned{}
		v.Stream, v.step, v.AcceptedAt = s, playing, 1
		return v, s
	}
	send := func(v *Viewer, m rtmp.Message) { v.Bytes(rtmp.AppendChunks(nil, 6, m, rtmp.FirstChunkSize), 1000) }
	first, itsStream := play()
	send(first, keyframe)
	if first.Tick(time.Unix(0, 1e9)); itsStream.rate < float64(len(keyframe.Payload)) || itsStream.rate > float64(len(keyframe.Payload))+200 {
		t.Errorf("tuned to %v bytes a second", itsStream.rate)
	}
	second, other := play()
	if send(second, sound); other.rate != 0 {
		t.Errorf("tuned to %v bytes a second before its first frame", other.rate)
	}
	if send(second, keyframe); other.rate != itsStream.rate {
		t.Errorf("tuned to %v bytes a second, the first to %v", other.rate, itsStream.rate)
	}
}

func TestAViewerOfAudioOnlyIgnoresVideo(t *testing.T) {
	s := rtmptest.Start(t, stream(configuration, keyframe, sound, otherFrame, sound))
	c := group(t, s.Address(), tcpreader.New)
	c.common.AudioOnly, c.AudioOnly = true, true
	v, f := join(t, c)
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "two messages of audio", func() bool { return v.Read(time.Now()).Packets == 2 })
	if r := v.Read(time.Now()); !r.AudioOnly || r.Frames != 0 || r.FirstFrameAt == 0 || r.FirstFrameAt != r.FirstPacketAt {
		t.Errorf("%+v", r)
	}
	v.Locked(func() {
		if v.Frames.Complete != 2 {
			t.Errorf("%d of audio and video", v.Frames.Complete)
		}
	})
	if !slices.Contains(s.Names(), "receiveVideo") {
		t.Errorf("%v", s.Names())
	}
}

// Enhanced RTMP as MediaMTX sends it: no message has a frame type.
func TestKeyframesWithoutAFrameTypeAreFrames(t *testing.T) {
	video := func(text string) rtmp.Message {
		return rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: []byte(text)}
	}
	key, other := video("\x83hvc1\x00\x00\x00\x03\x26\x01\xaa"), video("\x83hvc1\x00\x00\x00\x03\x02\x01\xaa")
	s := rtmptest.Start(t, stream(video("\x80hvc1\x01"), other, key, other, other))
	v, f := join(t, group(t, s.Address(), tcpreader.New))
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "the frames from the keyframe on", func() bool { return v.Read(time.Now()).Frames == 3 })
	if streams := v.Detail().Streams; streams[0].Codec != "H.265" || streams[0].Packets != 4 {
		t.Errorf("%+v", streams)
	}
}

func TestMessagesOfAnUnknownKindAreNamed(t *testing.T) {
	s := rtmptest.Start(t, stream(sound, rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: []byte("\x99hvc1 and more")}))
	v, f := join(t, group(t, s.Address(), tcpreader.New))
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "a skipped message", func() bool { return v.Detail().Counters["skippedMessages"] == 1 })
	later := time.Now().Add(max(tcpmedia.FirstFrameTimeout, waitTimeout) + time.Second)
	v.Locked(func() { v.LastMediaAt = later.UnixNano() })
	if f := v.Tick(later); f == nil || !strings.Contains(f.Detail, "skipped: 1 messages of an unknown kind, the latest of video packet type 9") {
		t.Errorf("%v", f)
	}
}
