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
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/standin"
	"fullhouse/agent/internal/signalling"
)

// patience is what a slow, busy machine may need; nothing here waits for it when all is well.
const patience = 30 * time.Second

func eventually(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !fits(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// crowd makes viewers for an address.
func crowd(t *testing.T, address rtmp.Address, make func() (harvest.Streams, error)) *Crowd {
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
	return NewCrowd(Config{Address: address, StageTimeout: patience, Signaller: signalling.NewSignaller(), Streams: streams})
}

func plainStreams() (harvest.Streams, error) { return harvest.NewPlainStreams(), nil }

// join connects a viewer, which leaves with the test.
func join(t *testing.T, c *Crowd) (*Viewer, *failure.Failure) {
	t.Helper()
	v := newViewer(c)
	f := v.Connect(context.Background(), context.Background())
	t.Cleanup(func() {
		if err := v.Leave(context.Background(), true); err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return v, f
}

// media is what a server sends of a stream.
var (
	configuration = rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: []byte{0x17, 0, 0, 0, 0, 1, 2, 3}}
	keyframe      = rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: append([]byte{0x17, 1, 0, 0, 0}, make([]byte, 3000)...)}
	otherFrame    = rtmp.Message{Kind: rtmp.TypeVideo, Stream: 7, Payload: append([]byte{0x27, 1, 0, 0, 0}, make([]byte, 300)...)}
	sound         = rtmp.Message{Kind: rtmp.TypeAudio, Stream: 7, Payload: []byte{0xaf, 1, 5, 5, 5}}
)

// stream answers play with messages.
func stream(messages ...rtmp.Message) standin.Reply {
	return func(c *standin.Client, name string) bool {
		if name != "play" {
			return false
		}
		c.Agree()
		for _, m := range messages {
			c.Send(6, m, 50)
		}
		return true
	}
}

func bothWays(t *testing.T, test func(t *testing.T, make func() (harvest.Streams, error))) {
	t.Run("best", func(t *testing.T) { test(t, harvest.NewStreams) })
	t.Run("plain", func(t *testing.T) { test(t, plainStreams) })
}

func TestAViewerComesCountsAndLeaves(t *testing.T) {
	bothWays(t, func(t *testing.T, make func() (harvest.Streams, error)) {
		s := standin.Start(t, stream(configuration, keyframe, sound, otherFrame, sound, otherFrame))
		c := crowd(t, s.Address(), make)
		before := time.Now().UnixNano()
		v, f := join(t, c)
		if f != nil {
			t.Fatal(f)
		}
		eventually(t, "three frames", func() bool { return v.Read(time.Now()).Frames == 3 })
		if f := v.Pulse(time.Now().Add(time.Second)); f != nil {
			t.Error(f)
		}
		r, longest := v.ReadInterval(time.Now())
		least := uint64(len(keyframe.Payload) + 2*len(otherFrame.Payload))
		if r.Packets != 5 || r.Bytes < least || r.Bytes > least+3000 || r.FirstPacketAt < before || r.FirstFrameAt < r.FirstPacketAt || r.Expected != 0 || r.HasJitter || longest < 0 {
			t.Errorf("%+v, %d", r, longest)
		}
		if err := v.Leave(context.Background(), false); err != nil {
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
		if buffer := s.Of(rtmp.TypeUserControl); len(buffer) != 1 || !bytes.Equal(buffer[0].Payload, []byte{0, 3, 0, 0, 0, 7, 0, 0, 0x0b, 0xb8}) {
			t.Errorf("%+v", buffer)
		}
		if v.Read(time.Now()).Frames != 3 {
			t.Error("the figures are gone with the viewer")
		}
	})
}

func TestRTMPSIsPlayedTheSameWay(t *testing.T) {
	bothWays(t, func(t *testing.T, make func() (harvest.Streams, error)) {
		certified := httptest.NewTLSServer(nil) // for its certificate
		defer certified.Close()
		listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates})
		if err != nil {
			t.Fatal(err)
		}
		s := standin.StartOn(t, listener, stream(configuration, keyframe, sound, otherFrame))
		address := s.Address()
		address.Secure = true
		c := crowd(t, address, make)
		if _, f := join(t, c); f == nil || f.Stage != failure.TLS || f.Cause != "certificate" {
			t.Errorf("%v", f)
		}
		c.TLS.RootCAs = x509.NewCertPool()
		c.TLS.RootCAs.AddCert(certified.Certificate())
		v, f := join(t, c)
		if f != nil {
			t.Fatal(f)
		}
		eventually(t, "two frames", func() bool { return v.Read(time.Now()).Frames == 2 })
		if f := v.Pulse(time.Now().Add(time.Second)); f != nil || v.Read(time.Now()).Packets != 3 {
			t.Errorf("%v, %+v", f, v.Read(time.Now()))
		}
		if err := v.Leave(context.Background(), false); err != nil {
			t.Error(err)
		}
		s.Stop()
		if got := strings.Join(s.Names(), " "); got != "connect createStream play deleteStream" {
			t.Errorf("%s", got)
		}
	})
}

func TestPingsAndWindowsAreAnswered(t *testing.T) {
	bothWays(t, func(t *testing.T, make func() (harvest.Streams, error)) {
		messages := []rtmp.Message{{Kind: rtmp.TypeUserControl, Payload: []byte{0, rtmp.EventPingRequest, 1, 2, 3, 4}}, keyframe}
		s := standin.Start(t, stream(messages...)) // its window is 1,000 bytes
		if _, f := join(t, crowd(t, s.Address(), make)); f != nil {
			t.Fatal(f)
		}
		eventually(t, "a pong and an acknowledgement", func() bool {
			pongs, acknowledged := 0, uint32(0)
			for _, m := range s.Of(rtmp.TypeUserControl) {
				if bytes.Equal(m.Payload, []byte{0, rtmp.EventPingResponse, 1, 2, 3, 4}) {
					pongs++
				}
			}
			for _, m := range s.Of(rtmp.TypeAcknowledgement) {
				acknowledged = max(acknowledged, binary.BigEndian.Uint32(m.Payload))
			}
			return pongs == 1 && acknowledged > uint32(len(keyframe.Payload))
		})
	})
}

func TestARefusalHasAStageACauseAndNoSecret(t *testing.T) {
	status := func(code, description string) func(c *standin.Client) {
		return func(c *standin.Client) { c.Status("error", code, description) }
	}
	hangUp := func(c *standin.Client) { _ = c.Close() }
	silence := func(*standin.Client) {}
	for name, test := range map[string]struct {
		at    string
		does  func(c *standin.Client)
		cause string
		says  string
	}{
		"no such application":    {"connect", hangUp, "closed", `the application "live"`},
		"silence to connect":     {"connect", silence, "timeout", `the application "live"`},
		"silence to create":      {"createStream", silence, "timeout", "a stream"},
		"silence to play":        {"play", silence, "timeout", "to play"},
		"hangs up on the stream": {"createStream", hangUp, "closed", "a stream"},
		"hangs up on play":       {"play", hangUp, "closed", "to play"},
		"rejected": {"connect", func(c *standin.Client) {
			c.Say(rtmp.TypeCommand, 0, rtmp.AppendAMF(nil, "_error", 1.0, nil, rtmp.Object{"level": "error", "code": "NetConnection.Connect.Rejected", "description": "[ AccessManager.Reject ] : [ code=403 need auth ]"}))
		}, "unauthorized", "credentials"},
		"not found":   {"play", status("NetStream.Play.StreamNotFound", "No such stream: cam?key=secret"), "not-found", "no such stream"},
		"failed":      {"play", status("NetStream.Play.Failed", "the store is closed"), "rejected", "the store is closed"},
		"unpublished": {"play", status("NetStream.Play.UnpublishNotify", "cam"), "unpublished", "before anything"},
		"goodbye":     {"play", func(c *standin.Client) { c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "close", 0.0, nil)) }, "closed", "closes the connection"},
		"not granted": {"createStream", func(c *standin.Client) {
			c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "_error", 2.0, nil, nil))
		}, "rejected", "no reason given"},
		"chunks of nothing": {"play", func(c *standin.Client) { c.Say(rtmp.TypeSetChunkSize, 50, []byte{0, 0, 0, 0}) }, "not-rtmp", "chunks of 0 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := standin.Start(t, func(c *standin.Client, command string) bool {
				if command == test.at {
					test.does(c)
				}
				return command == test.at
			})
			c := crowd(t, s.Address(), harvest.NewStreams)
			if test.cause == "timeout" {
				c.StageTimeout = 300 * time.Millisecond
			}
			v, f := join(t, c)
			if f == nil || f.Stage != failure.Signalling || f.Cause != test.cause || !strings.Contains(f.Detail, test.says) {
				t.Fatalf("%v, want %s: %q", f, test.cause, test.says)
			}
			if strings.Contains(f.Detail, "secret") || strings.Contains(f.Detail, "\n") || !strings.HasSuffix(f.Detail, ".") {
				t.Errorf("%q", f.Detail)
			}
			if v.Read(time.Now()).Failure != f {
				t.Errorf("%+v", v.Read(time.Now()))
			}
		})
	}
}

func TestAServerThatIsNoneHasAStageAndACause(t *testing.T) {
	half := append([]byte{rtmp.Version}, make([]byte, 700)...)
	for name, test := range map[string]struct {
		does  func(net.Conn)
		cause string
		says  string
	}{
		"HTTP":            {func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }, "not-rtmp", "0x48"},
		"hangs up":        {func(c net.Conn) { _ = c.Close() }, "closed", "rtmps"},
		"resets":          {func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() }, "closed", "rtmps"},
		"silent":          {func(net.Conn) {}, "timeout", "handshake"},
		"half, silent":    {func(c net.Conn) { _, _ = c.Write(half) }, "timeout", "handshake"},
		"half, hangs up":  {func(c net.Conn) { _, _ = c.Write(half); _ = c.(*net.TCPConn).CloseWrite() }, "closed", "handshake"},
		"noise after all": {func(c net.Conn) { _, _ = c.Write(append(half, bytes.Repeat([]byte{0xc3}, 5000)...)) }, "not-rtmp", "begins without a header"},
	} {
		t.Run(name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			t.Cleanup(func() { _ = listener.Close(); <-done })
			go func() {
				defer close(done)
				socket, err := listener.Accept()
				if err != nil {
					return
				}
				defer socket.Close()
				test.does(socket)
				_, _ = socket.Read(make([]byte, 4000))
				buffer := make([]byte, 4000)
				for err == nil {
					_, err = socket.Read(buffer) // until the viewer gives up
				}
			}()
			c := crowd(t, rtmp.Address{Host: listener.Addr().String(), App: "live", Stream: "cam"}, harvest.NewStreams)
			if test.cause == "timeout" {
				c.StageTimeout = 300 * time.Millisecond
			}
			v, f := join(t, c)
			if f == nil || f.Stage != failure.Signalling || f.Cause != test.cause || !strings.Contains(f.Detail, test.says) {
				t.Errorf("%v, want %s: %q", f, test.cause, test.says)
			}
			_ = v.Leave(context.Background(), true) // so that the server's side ends
		})
	}
	c := crowd(t, rtmp.Address{Host: "127.0.0.1:1", App: "live", Stream: "cam"}, harvest.NewStreams)
	if _, f := join(t, c); f == nil || f.Stage != failure.TCP || f.Cause != "refused" {
		t.Errorf("%v", f)
	}
	c = crowd(t, rtmp.Address{Host: "nowhere.invalid:1935", App: "live", Stream: "cam"}, harvest.NewStreams)
	if _, f := join(t, c); f == nil || f.Stage != failure.Name {
		t.Errorf("%v", f)
	}
}

// TestWhatEndsAPlayingViewer has the server end, refuse or confuse a stream that plays; the neighbour plays on.
func TestWhatEndsAPlayingViewer(t *testing.T) {
	unpublish := func(c *standin.Client) { c.Status("status", "NetStream.Play.UnpublishNotify", "cam is gone") }
	eof := func(c *standin.Client) { c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventStreamEOF, 0, 0, 0, 7}) }
	nothing := func(*standin.Client) {}
	for name, test := range map[string]struct {
		sends []rtmp.Message
		does  func(c *standin.Client)
		later time.Duration // than when it happens is what is asked
		stage failure.Stage
		cause string
	}{
		"closes":             {[]rtmp.Message{keyframe}, func(c *standin.Client) { _ = c.Close() }, 0, failure.Media, "closed"},
		"closes early":       {nil, func(c *standin.Client) { _ = c.Close() }, 0, failure.FirstPacket, "closed"},
		"resets":             {[]rtmp.Message{keyframe}, func(c *standin.Client) { _ = c.Conn.(*net.TCPConn).SetLinger(0); _ = c.Close() }, 0, failure.Media, "closed"},
		"unpublishes":        {[]rtmp.Message{keyframe}, unpublish, 0, failure.Media, "unpublished"},
		"ends without media": {nil, unpublish, 0, failure.FirstPacket, "unpublished"},
		"ends and closes":    {[]rtmp.Message{keyframe}, func(c *standin.Client) { eof(c); _ = c.Close() }, 0, failure.Media, "unpublished"},
		"ends, comes back and closes": {[]rtmp.Message{keyframe}, func(c *standin.Client) {
			eof(c)
			c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventStreamBegin, 0, 0, 0, 7})
			_ = c.Close()
		}, 0, failure.Media, "closed"},
		"ends and waits":    {[]rtmp.Message{keyframe}, eof, silencePatience + time.Second, failure.Media, "unpublished"},
		"falls silent":      {[]rtmp.Message{keyframe}, nothing, silencePatience + time.Second, failure.Media, "silent"},
		"has nothing":       {[]rtmp.Message{configuration}, nothing, patience + time.Second, failure.FirstPacket, "silent"},
		"has sound only":    {[]rtmp.Message{sound}, nothing, -1, failure.FirstFrame, "no-video"},
		"has no keyframe":   {[]rtmp.Message{otherFrame}, nothing, -1, failure.FirstFrame, "no-keyframe"},
		"sends noise":       {[]rtmp.Message{keyframe}, func(c *standin.Client) { c.Raw([]byte{0xff, 1, 2, 3}) }, 0, failure.Media, "not-rtmp"},
		"sends a huge word": {[]rtmp.Message{keyframe}, func(c *standin.Client) { c.Raw([]byte{9, 0, 0, 0, 0xff, 0xff, 0xff, rtmp.TypeCommand, 0, 0, 0, 0, 1}) }, 0, failure.Media, "not-rtmp"},
		"floods with pings": {[]rtmp.Message{keyframe}, func(c *standin.Client) {
			for range 2 * mostControls {
				c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventPingRequest, 1, 2, 3, 4})
			}
		}, 0, failure.Media, "not-rtmp"},
	} {
		t.Run(name, func(t *testing.T) {
			clients := make(chan *standin.Client, 2)
			s := standin.Start(t, func(c *standin.Client, name string) bool {
				if name == "play" {
					stream(test.sends...)(c, name)
					clients <- c
				}
				return name == "play"
			})
			c := crowd(t, s.Address(), harvest.NewStreams)
			neighbour, f := join(t, c)
			if f != nil {
				t.Fatal(f)
			}
			theirs := <-clients
			v, f := join(t, c)
			if f != nil {
				t.Fatal(f)
			}
			its := <-clients
			eventually(t, "what is sent", func() bool { return v.Read(time.Now()).Packets == uint64(len(test.sends)) || name == "has nothing" })
			test.does(its)
			begun := time.Now()
			if test.later < 0 { // media goes on, so that it is not silent
				begun = begun.Add(patience + time.Second)
				v.locked(func() { v.lastMediaAt = begun.UnixNano() })
			}
			if test.later > 0 && name != "has nothing" {
				eventually(t, "the end is known", func() bool {
					known := false
					v.locked(func() { known = v.isUnpublished == (test.cause == "unpublished") })
					return known
				})
			}
			eventually(t, "the failure", func() bool { f = v.Pulse(begun.Add(max(test.later, 0))); return f != nil })
			if f.Stage != test.stage || f.Cause != test.cause || strings.Contains(f.Detail, "secret") || !strings.HasSuffix(f.Detail, ".") {
				t.Errorf("%v, want %s %s", f, test.stage, test.cause)
			}
			theirs.Send(6, keyframe, 50)
			eventually(t, "the neighbour's next frame", func() bool { return neighbour.Read(time.Now()).Frames >= 1 })
			if f := neighbour.Pulse(time.Now()); f != nil {
				t.Errorf("the neighbour: %v", f)
			}
		})
	}
}

func TestWhoChangesTheirMindIsNotKeptWaiting(t *testing.T) {
	asked := atomic.Bool{}
	s := standin.Start(t, func(_ *standin.Client, name string) bool { asked.Store(true); return true }) // and says nothing
	c := crowd(t, s.Address(), harvest.NewStreams)
	c.StageTimeout = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	v := newViewer(c)
	ended := make(chan *failure.Failure, 1)
	go func() { ended <- v.Connect(ctx, context.Background()) }()
	eventually(t, "connect is asked", asked.Load)
	cancel()
	select {
	case f := <-ended:
		if f == nil {
			t.Error("it plays")
		}
	case <-time.After(patience):
		t.Error("it waits on")
	}
	if err := v.Leave(context.Background(), false); err != nil {
		t.Error(err)
	}
}

// TestAFreezeIsCountedAndPortionsAreNone lets a stream flow, stop for longer than a freeze, and flow again.
func TestAFreezeIsCountedAndPortionsAreNone(t *testing.T) {
	clients := make(chan *standin.Client, 1)
	s := standin.Start(t, func(c *standin.Client, name string) bool {
		if name == "play" {
			clients <- c
		}
		return false
	})
	v, f := join(t, crowd(t, s.Address(), harvest.NewStreams))
	if f != nil {
		t.Fatal(f)
	}
	c := <-clients
	c.Send(6, keyframe, 50)
	eventually(t, "the first frame", func() bool { return v.Read(time.Now()).Frames == 1 })
	v.stream.Tune(1e6) // what follows is not worth a read
	c.Send(6, otherFrame, 50)
	eventually(t, "the second frame", func() bool { return v.Read(time.Now()).Frames == 2 })
	eventually(t, "a freeze under way", func() bool { r := v.Read(time.Now()); return r.Freezes == 1 && r.GapNs >= 500e6 })
	c.Send(6, otherFrame, 50)
	eventually(t, "the third frame", func() bool { return v.Read(time.Now()).Frames == 3 })
	r, longest := v.ReadInterval(time.Now())
	if r.Freezes != 1 || r.FrozenNs < 500e6 || longest < 500e6 {
		t.Errorf("%+v, longest %d", r, longest)
	}
}
