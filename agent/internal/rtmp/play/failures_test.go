package play

import (
	"bytes"
	"context"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/testing/rtmptest"
)

func TestARefusalHasAStageACauseAndNoSecret(t *testing.T) {
	status := func(code, description string) func(c *rtmptest.Client) {
		return func(c *rtmptest.Client) { c.Status("error", code, description) }
	}
	closeConnection := func(c *rtmptest.Client) { _ = c.Close() }
	silence := func(*rtmptest.Client) {}
	for name, test := range map[string]struct {
		at       string
		does     func(c *rtmptest.Client)
		cause    string
		wantText string
	}{
		"no such application":    {"connect", closeConnection, "closed", `connect (application "live"); it may have no such application`},
		"silence to connect":     {"connect", silence, "timeout", `connect (application "live")`},
		"silence to create":      {"createStream", silence, "timeout", "createStream"},
		"silence to play":        {"play", silence, "timeout", "to play"},
		"hangs up on the stream": {"createStream", closeConnection, "closed", "to createStream"},
		"hangs up on play":       {"play", closeConnection, "closed", "to play; the stream may not be published or have another name, or the server forbids it or has reached its limit of viewers"},
		"rejected": {"connect", func(c *rtmptest.Client) {
			c.Say(rtmp.TypeCommand, 0, rtmp.AppendAMF(nil, "_error", 1.0, nil, rtmp.Object{"level": "error", "code": "NetConnection.Connect.Rejected", "description": "[ AccessManager.Reject ] : [ code=403 need auth ]"}))
		}, "unauthorized", "credentials"},
		"not found":   {"play", status("NetStream.Play.StreamNotFound", "No such stream: cam?key=secret"), "not-found", "does not exist"},
		"failed":      {"play", status("NetStream.Play.Failed", "the store is closed"), "rejected", "the store is closed"},
		"unpublished": {"play", status("NetStream.Play.UnpublishNotify", "cam"), "unpublished", "before any media"},
		"closes":      {"play", func(c *rtmptest.Client) { c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "close", 0.0, nil)) }, "closed", "closes the connection"},
		"not granted": {"createStream", func(c *rtmptest.Client) {
			c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "_error", 2.0, nil, nil))
		}, "rejected", "no reason given"},
		"chunks of nothing": {"play", func(c *rtmptest.Client) { c.Say(rtmp.TypeSetChunkSize, 50, []byte{0, 0, 0, 0}) }, "not-rtmp", "chunks of 0 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := rtmptest.Start(t, func(c *rtmptest.Client, command string) bool {
				if command == test.at {
					test.does(c)
				}
				return command == test.at
			})
			c := group(t, s.Address(), tcpreader.New)
			if test.cause == "timeout" {
				c.StageTimeout = 300 * time.Millisecond
			}
			v, f := join(t, c)
			if f == nil || f.Stage != failure.Signalling || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.wantText) {
				t.Fatalf("%v, want %s: %q", f, test.cause, test.wantText)
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

func TestAServerWithoutRTMPHasAStageAndACause(t *testing.T) {
	half := append([]byte{rtmp.Version}, make([]byte, 700)...)
	for name, test := range map[string]struct {
		does     func(net.Conn)
		cause    string
		wantText string
	}{
		"HTTP":            {func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }, "not-rtmp", "0x48"},
		"hangs up":        {func(c net.Conn) { _ = c.Close() }, "closed", "require rtmps, or have reached its limit of connections"},
		"resets":          {func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); _ = c.(*net.TCPConn).SetLinger(0); _ = c.Close() }, "closed", "rtmps"},
		"silent":          {func(net.Conn) {}, "timeout", "handshake"},
		"half, silent":    {func(c net.Conn) { _, _ = c.Write(half) }, "timeout", "handshake"},
		"half, hangs up":  {func(c net.Conn) { _, _ = c.Write(half); _ = c.(*net.TCPConn).CloseWrite() }, "closed", "handshake"},
		"noise after all": {func(c net.Conn) { _, _ = c.Write(append(half, bytes.Repeat([]byte{0xc3}, 5000)...)) }, "not-rtmp", "starts without a header"},
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
			c := group(t, rtmp.Address{Host: listener.Addr().String(), App: "live", Stream: "cam"}, tcpreader.New)
			if test.cause == "timeout" {
				c.StageTimeout = 300 * time.Millisecond
			}
			v, f := join(t, c)
			if f == nil || f.Stage != failure.Signalling || f.Cause.String() != test.cause || !strings.Contains(f.Detail, test.wantText) {
				t.Errorf("%v, want %s: %q", f, test.cause, test.wantText)
			}
			_ = v.Disconnect(context.Background(), true) // so that the server's side ends
		})
	}
	c := group(t, rtmp.Address{Host: "127.0.0.1:1", App: "live", Stream: "cam"}, tcpreader.New)
	if _, f := join(t, c); f == nil || f.Stage != failure.TCP || f.Cause.String() != "refused" {
		t.Errorf("%v", f)
	}
	c = group(t, rtmp.Address{Host: "nowhere.invalid:1935", App: "live", Stream: "cam"}, tcpreader.New)
	if _, f := join(t, c); f == nil || f.Stage != failure.Name {
		t.Errorf("%v", f)
	}
}

// TestWhatEndsAPlayingViewer makes the server end, refuse or corrupt a playing stream; the neighbour continues.
func TestWhatEndsAPlayingViewer(t *testing.T) {
	unpublish := func(c *rtmptest.Client) { c.Status("status", "NetStream.Play.UnpublishNotify", "cam is gone") }
	eof := func(c *rtmptest.Client) { c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventStreamEOF, 0, 0, 0, 7}) }
	nothing := func(*rtmptest.Client) {}
	for name, test := range map[string]struct {
		sends []rtmp.Message
		does  func(c *rtmptest.Client)
		later time.Duration // than the event under test
		stage failure.Stage
		cause string
	}{
		"closes":             {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) { _ = c.Close() }, 0, failure.Media, "closed"},
		"closes early":       {nil, func(c *rtmptest.Client) { _ = c.Close() }, 0, failure.FirstPacket, "closed"},
		"resets":             {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) { _ = c.Conn.(*net.TCPConn).SetLinger(0); _ = c.Close() }, 0, failure.Media, "closed"},
		"unpublishes":        {[]rtmp.Message{keyframe}, unpublish, 0, failure.Media, "unpublished"},
		"ends without media": {nil, unpublish, 0, failure.FirstPacket, "unpublished"},
		"ends and closes":    {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) { eof(c); _ = c.Close() }, 0, failure.Media, "unpublished"},
		"ends, comes back and closes": {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) {
			eof(c)
			c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventStreamBegin, 0, 0, 0, 7})
			_ = c.Close()
		}, 0, failure.Media, "closed"},
		"ends and waits":    {[]rtmp.Message{keyframe}, eof, tcpmedia.SilenceTimeout + time.Second, failure.Media, "unpublished"},
		"falls silent":      {[]rtmp.Message{keyframe}, nothing, tcpmedia.SilenceTimeout + time.Second, failure.Media, "silent"},
		"has nothing":       {[]rtmp.Message{configuration}, nothing, waitTimeout + time.Second, failure.FirstPacket, "silent"},
		"has sound only":    {[]rtmp.Message{sound}, nothing, -1, failure.FirstFrame, "no-video"},
		"has no keyframe":   {[]rtmp.Message{otherFrame}, nothing, -1, failure.FirstFrame, "no-keyframe"},
		"sends noise":       {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) { c.Raw([]byte{0xff, 1, 2, 3}) }, 0, failure.Media, "not-rtmp"},
		"sends a huge word": {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) { c.Raw([]byte{9, 0, 0, 0, 0xff, 0xff, 0xff, rtmp.TypeCommand, 0, 0, 0, 0, 1}) }, 0, failure.Media, "not-rtmp"},
		"floods with pings": {[]rtmp.Message{keyframe}, func(c *rtmptest.Client) {
			for range 2 * maxControls {
				c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventPingRequest, 1, 2, 3, 4})
			}
		}, 0, failure.Media, "not-rtmp"},
	} {
		t.Run(name, func(t *testing.T) {
			clients := make(chan *rtmptest.Client, 2)
			s := rtmptest.Start(t, func(c *rtmptest.Client, name string) bool {
				if name == "play" {
					stream(test.sends...)(c, name)
					clients <- c
				}
				return name == "play"
			})
			c := group(t, s.Address(), tcpreader.New)
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
			checkTime := time.Now()
			if test.later < 0 { // media continues, so that it is not silent
				checkTime = checkTime.Add(waitTimeout + time.Second)
				v.Locked(func() { v.LastMediaAt = checkTime.UnixNano() })
			}
			if test.later > 0 && name != "has nothing" {
				eventually(t, "the end is noticed", func() bool {
					known := false
					v.Locked(func() { known = v.IsUnpublished == (test.cause == "unpublished") })
					return known
				})
			}
			eventually(t, "the failure", func() bool { f = v.Tick(checkTime.Add(max(test.later, 0))); return f != nil })
			if f.Stage != test.stage || f.Cause.String() != test.cause || strings.Contains(f.Detail, "secret") || !strings.HasSuffix(f.Detail, ".") {
				t.Errorf("%v, want %s %s", f, test.stage, test.cause)
			}
			// Node-Media-Server 4.4.3 refuses a missing sign in this way, and SRS 6.0.48 a play that its hook forbids.
			if name == "closes early" != strings.Contains(f.Detail, "the server forbids it") {
				t.Errorf("%q", f.Detail)
			}
			theirs.Send(6, keyframe, 50)
			eventually(t, "the neighbour's next frame", func() bool { return neighbour.Read(time.Now()).Frames >= 1 })
			if f := neighbour.Tick(time.Now()); f != nil {
				t.Errorf("the neighbour: %v", f)
			}
		})
	}
}

func TestCancellingDoesNotWait(t *testing.T) {
	connectReceived := atomic.Bool{}
	s := rtmptest.Start(t, func(_ *rtmptest.Client, name string) bool { connectReceived.Store(true); return true }) // and never responds
	c := group(t, s.Address(), tcpreader.New)
	c.StageTimeout = time.Hour
	ctx, cancel := context.WithCancel(context.Background())
	v := newViewer(c)
	ended := make(chan *failure.Failure, 1)
	go func() { ended <- v.Connect(ctx, context.Background()) }()
	eventually(t, "connect is received", connectReceived.Load)
	cancel()
	select {
	case f := <-ended:
		if f == nil {
			t.Error("Connect succeeded")
		}
	case <-time.After(waitTimeout):
		t.Error("Connect still waits")
	}
	if err := v.Disconnect(context.Background(), false); err != nil {
		t.Error(err)
	}
}

func TestALoginIsAnsweredOnNewConnections(t *testing.T) {
	login := rtmptest.RequireLogin("me", "s3cret")
	s := rtmptest.Start(t, func(c *rtmptest.Client, command string) bool {
		return login(c, command) || stream(configuration, keyframe)(c, command)
	})
	address := s.Address()
	address.User, address.Password = "me", "s3cret"
	v, f := join(t, group(t, address, tcpreader.New))
	if f != nil {
		t.Fatal(f)
	}
	eventually(t, "a frame", func() bool { return v.Read(time.Now()).Frames == 1 })
	if names := strings.Join(s.Names(), " "); !strings.HasPrefix(names, "connect connect connect createStream play") {
		t.Error(names)
	}
	for _, test := range []struct{ user, password, want string }{
		{"me", "s3cre7", "refused the credentials in connect"}, {"", "", "requires a user and a password"},
	} {
		address.User, address.Password = test.user, test.password
		_, f := join(t, group(t, address, tcpreader.New))
		if f == nil || f.Cause.String() != "unauthorized" || !strings.Contains(f.Detail, test.want) || strings.Contains(f.Detail, "s3cre7") {
			t.Errorf("%v", f)
		}
	}
}

// A server that resets the connection instead of a response to play, as some do for a stream that is not published.
func TestAResetInResponseToPlayIsAStreamThatMayNotBePublished(t *testing.T) {
	s := rtmptest.Start(t, func(c *rtmptest.Client, command string) bool {
		if command == "play" {
			_ = c.Conn.(*net.TCPConn).SetLinger(0)
			_ = c.Close()
		}
		return command == "play"
	})
	_, f := join(t, group(t, s.Address(), tcpreader.New))
	if f == nil || f.Cause.String() != "closed" || !strings.Contains(f.Detail, "may not be published") {
		t.Errorf("%v", f)
	}
}
