package push

import (
	"bytes"
	"context"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/testing/rtmptest"
)

// waitTimeout is for a slow, busy machine; no passing test waits that long.
const waitTimeout = 30 * time.Second

func eventually(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitTimeout); !fits(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s", what)
		}
	}
}

var video = Video{Width: 426, Height: 240, FPS: 25, Kbps: 120, Decoder: []byte{1, 2, 3}}

func TestAStreamIsPublishedAndEnded(t *testing.T) {
	s := rtmptest.Start(t, nil)
	session, err := Open(context.Background(), s.Address(), "", Dialling{Timeout: waitTimeout})
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Describe(video); err != nil {
		t.Fatal(err)
	}
	big := bytes.Repeat([]byte{0x65}, 3*outChunkSize)
	wire := 0
	for i, nal := range [][]byte{big, {0x41, 1}, {0x41, 2}} {
		n, err := session.Picture(time.Duration(i)*40*time.Millisecond, PictureMessage("", i == 0, nal))
		if err != nil {
			t.Fatal(err)
		}
		wire += n
	}
	if err := session.Disconnect(false); err != nil {
		t.Error(err)
	}
	s.Stop()
	if want := []string{"connect", "releaseStream", "FCPublish", "createStream", "publish", "FCUnpublish", "deleteStream"}; !reflect.DeepEqual(s.Names(), want) {
		t.Errorf("%v", s.Names())
	}
	connect := s.Commands()[0].Values[0].(map[string]any)
	if connect["app"] != "live" || connect["tcUrl"] != "rtmp://"+s.Address().Host+"/live" {
		t.Errorf("%v", connect)
	}
	if publish := s.Commands()[4].Values; !reflect.DeepEqual(publish, []any{nil, "cam?key=secret", "live"}) {
		t.Errorf("%v", publish)
	}
	pictures := s.MessagesOfKind(rtmp.TypeVideo)
	if len(pictures) != 4 || wire < len(big) {
		t.Fatalf("%d video messages, %d bytes", len(pictures), wire)
	}
	if want := []byte{0x17, 0, 0, 0, 0, 1, 2, 3}; !bytes.Equal(pictures[0].Payload, want) {
		t.Errorf("the decoder's configuration is % x", pictures[0].Payload)
	}
	if p := pictures[1]; p.Payload[0] != 0x17 || p.Stream != 7 || len(p.Payload) != 5+len(big) || p.Timestamp != 0 {
		t.Errorf("the keyframe: % x of %d bytes at %d on %d", p.Payload[:9], len(p.Payload), p.Timestamp, p.Stream)
	}
	if p := pictures[2]; !bytes.Equal(p.Payload, []byte{0x27, 1, 0, 0, 0, 0x41, 1}) || p.Timestamp != 40 {
		t.Errorf("the second picture: % x at %d", p.Payload, p.Timestamp)
	}
	if metadata := s.MessagesOfKind(rtmp.TypeData); len(metadata) != 1 || !bytes.Contains(metadata[0].Payload, []byte("onMetaData")) {
		t.Errorf("metadata %v", metadata)
	}
}

func TestPingsAndWindowsAreAnswered(t *testing.T) {
	s := rtmptest.Start(t, func(c *rtmptest.Client, name string) bool {
		if name == "publish" {
			c.Say(rtmp.TypeUserControl, 50, []byte{0, rtmp.EventPingRequest, 1, 2, 3, 4})
			for range 30 { // more than the window of 1,000 bytes
				c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "onBWDone", 0.0, nil, strings.Repeat("x", 60)))
			}
		}
		return false
	})
	session, err := Open(context.Background(), s.Address(), "", Dialling{Timeout: waitTimeout})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "a pong and an acknowledgement", func() bool {
		pongs := s.MessagesOfKind(rtmp.TypeUserControl)
		return len(pongs) == 1 && bytes.Equal(pongs[0].Payload, []byte{0, rtmp.EventPingResponse, 1, 2, 3, 4}) && len(s.MessagesOfKind(rtmp.TypeAcknowledgement)) >= 1
	})
	if err := session.Disconnect(true); err != nil {
		t.Error(err)
	}
}

func TestARefusalIsOneSentenceWithoutTheKey(t *testing.T) {
	status := func(code, description string) func(c *rtmptest.Client) {
		return func(c *rtmptest.Client) {
			c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "onStatus", 0.0, nil, rtmp.Object{"level": "error", "code": code, "description": description}))
		}
	}
	closeConnection := func(c *rtmptest.Client) { _ = c.Close() }
	for name, test := range map[string]struct {
		at       string
		does     func(c *rtmptest.Client)
		wantText string
	}{
		"no such application": {"connect", closeConnection, `connect (application "live")`},
		"rejected": {"connect", func(c *rtmptest.Client) {
			c.Say(rtmp.TypeCommand, 0, rtmp.AppendAMF(nil, "_error", 1.0, nil, rtmp.Object{"level": "error", "code": "NetConnection.Connect.Rejected", "description": "[ AccessManager.Reject ] : [ code=403 need auth; authmod=adobe ]"}))
		}, "requires a user and a password"},
		"name taken":     {"publish", status("NetStream.Publish.BadName", "cam is published"), "in use already"},
		"key refused":    {"publish", status("NetStream.Publish.BadName", "cam?key=secret is not authorized"), "credentials"},
		"forbidden":      {"publish", closeConnection, "the server's log"},
		"other refusal":  {"publish", status("NetStream.Failed", "no more room"), "no more room"},
		"stream refused": {"createStream", closeConnection, "createStream"},
		"silence":        {"publish", func(*rtmptest.Client) {}, "did not respond to publish within"},
	} {
		t.Run(name, func(t *testing.T) {
			s := rtmptest.Start(t, func(c *rtmptest.Client, command string) bool {
				if command == test.at {
					test.does(c)
				}
				return command == test.at
			})
			stage := waitTimeout
			if name == "silence" {
				stage = 300 * time.Millisecond
			}
			_, err := Open(context.Background(), s.Address(), "", Dialling{Timeout: stage})
			if err == nil || !strings.Contains(err.Error(), test.wantText) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %q", err, test.wantText)
			}
		})
	}
}

func TestAServerWithoutRTMPIsOneSentence(t *testing.T) {
	open := func(does func(net.Conn)) error {
		t.Helper()
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		done := make(chan struct{})
		go func() {
			defer close(done)
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			does(socket)
			_, _ = io.Copy(io.Discard, socket) // until the publisher gives up
			_ = socket.Close()
		}()
		_, err = Open(context.Background(), rtmp.Address{Host: listener.Addr().String(), App: "live", Stream: "cam"}, "", Dialling{Timeout: 500 * time.Millisecond})
		<-done
		return err
	}
	for word, does := range map[string]func(net.Conn){
		"is not an RTMP server": func(c net.Conn) { _, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) },
		"rtmps":                 func(c net.Conn) { _ = c.Close() },
		"did not respond":       func(net.Conn) {},
	} {
		if err := open(does); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%v, want %q", err, word)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close() // the port is closed now
	if _, err := Open(context.Background(), rtmp.Address{Host: listener.Addr().String(), App: "a", Stream: "b"}, "", Dialling{Timeout: waitTimeout}); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("%v", err)
	}
	if _, err := Open(context.Background(), rtmp.Address{Host: "nowhere.invalid:1935", App: "a", Stream: "b"}, "", Dialling{Timeout: waitTimeout}); err == nil || !strings.Contains(err.Error(), "nowhere.invalid") {
		t.Errorf("%v", err)
	}
}

func TestAStreamThatTheServerEndsIsLost(t *testing.T) {
	for word, end := range map[string]func(c *rtmptest.Client){
		// nginx-rtmp 1.1.4 with deny publish, and Node-Media-Server 4.4.3 without the sign that it requires.
		"right after publish; it may not allow it": func(c *rtmptest.Client) { _ = c.Close() },
		"NetStream.Unpublish": func(c *rtmptest.Client) {
			c.Say(rtmp.TypeCommand, 50, rtmp.AppendAMF(nil, "onStatus", 0.0, nil, rtmp.Object{"level": "error", "code": "NetStream.Unpublish"}))
		},
	} {
		clients := make(chan *rtmptest.Client, 1)
		s := rtmptest.Start(t, func(c *rtmptest.Client, name string) bool {
			if name == "publish" {
				clients <- c
			}
			return false
		})
		session, err := Open(context.Background(), s.Address(), "", Dialling{Timeout: waitTimeout})
		if err != nil {
			t.Fatal(err)
		}
		end(<-clients)
		eventually(t, "the loss is noticed", func() bool {
			_, err = session.Picture(0, PictureMessage("", true, []byte{0x65}))
			if err == nil {
				err = session.Lost()
			}
			return err != nil
		})
		if !strings.Contains(err.Error(), word) && !strings.Contains(err.Error(), "broke") {
			t.Errorf("%v, want %q", err, word)
		}
		_ = session.Disconnect(true) // the connection may be gone
	}
}

func TestCancellingDoesNotWait(t *testing.T) {
	s := rtmptest.Start(t, func(_ *rtmptest.Client, name string) bool { return name == "connect" }) // and never responds
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := Open(ctx, s.Address(), "", Dialling{Timeout: time.Hour})
		ended <- err
	}()
	eventually(t, "connect is received", func() bool { return len(s.Names()) == 1 })
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("Open succeeded")
		}
	case <-time.After(waitTimeout):
		t.Error("Open still waits")
	}
}

func TestALoginIsAnsweredOnNewConnections(t *testing.T) {
	s := rtmptest.Start(t, rtmptest.RequireLogin("me", "s3cret"))
	address := s.Address()
	for _, test := range []struct{ user, password, want string }{
		{"me", "s3cret", ""}, {"me", "s3cre7", "refused the user and the password"}, {"", "", "requires a user and a password"},
	} {
		address.User, address.Password = test.user, test.password
		session, err := Open(context.Background(), address, "", Dialling{Timeout: waitTimeout})
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cre7") {
				t.Error(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := session.Disconnect(false); err != nil {
			t.Error(err)
		}
		if names := strings.Join(s.Names(), " "); !strings.HasPrefix(names, "connect connect connect releaseStream") {
			t.Error(names)
		}
	}
}
