package push

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fullhouse/agent/internal/media"
	rtmppush "fullhouse/agent/internal/rtmp/push"
	"fullhouse/agent/internal/testing/exposed"
	"fullhouse/agent/internal/testing/mediaservers"
)

// publisher sends a movie until the test ends, and reports when the server has accepted it.
type publisher struct {
	session    *Session
	isAccepted atomic.Bool
	sent       atomic.Int64
	lost       chan error
}

func publish(t *testing.T, movie, address string) *publisher {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	video, err := media.LoadVideo("", movie)
	if err != nil {
		t.Fatal(err)
	}
	p := &publisher{lost: make(chan error, 1)}
	header, audio := rtmppush.Video{Decoder: video.Decoder, AudioConfig: video.AudioConfig}.Headers()
	p.session, err = Open(Config{FFmpeg: mediaservers.FFmpeg(t), URL: target, Timeout: 10 * time.Second, OnAccepted: func() { p.isAccepted.Store(true) }}, header, audio)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		started := time.Now()
		for {
			sounds := video.Audio
			for _, one := range video.Pictures {
				for time.Since(started) < one.At {
					time.Sleep(time.Millisecond)
				}
				select {
				case <-stop:
					return
				default:
				}
				_, err := p.session.Picture(one.At, rtmppush.PictureMessage("", one.Keyframe, one.Data))
				for err == nil && len(sounds) > 0 && sounds[0].At <= one.At {
					_, err = p.session.Audio(sounds[0].At, rtmppush.AudioMessage(sounds[0].Data))
					sounds = sounds[1:]
				}
				if err == nil {
					err = p.session.Lost()
				}
				if err != nil {
					p.lost <- err
					return
				}
				p.sent.Add(1)
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-ended; _ = p.session.Disconnect(true) })
	return p
}

func until(t *testing.T, p *publisher, isTrue func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !isTrue(); time.Sleep(10 * time.Millisecond) {
		select {
		case err := <-p.lost:
			t.Fatal(err)
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("it did not happen; accepted: %v, sent: %d", p.isAccepted.Load(), p.sent.Load())
		}
	}
}

func TestALoginOfRTSPIsSeenByTheServerOnly(t *testing.T) {
	movie := mediaservers.Movie(t)
	for _, method := range []string{"basic", "digest"} {
		t.Run(method, func(t *testing.T) {
			server, _ := mediaservers.RTSP(t, movie, method)
			login := mediaservers.RTSPUser + ":" + mediaservers.RTSPPassword
			p := publish(t, movie, strings.Replace(server, "//", "//"+login+"@", 1)+"/in")
			until(t, p, func() bool { return p.isAccepted.Load() && p.sent.Load() > 50 })
			if names := exposed.Check(t, nil, mediaservers.RTSPPassword); !strings.Contains(names, "ffmpeg") {
				t.Errorf("no ffmpeg among %q", names)
			}
			wrong := publish(t, movie, strings.Replace(server, "//", "//me:wrong@", 1)+"/in")
			if err := <-wrong.lost; !strings.Contains(err.Error(), "401") || !strings.Contains(err.Error(), "password") || strings.Contains(err.Error(), "wrong@") {
				t.Error(err)
			}
		})
	}
}

func TestAPassphraseOfSRTIsSeenByTheServerOnly(t *testing.T) {
	movie := mediaservers.Movie(t)
	const passphrase = "planted-passphrase"
	for _, keyLength := range []int{16, 32} {
		t.Run(fmt.Sprint(keyLength), func(t *testing.T) {
			port := mediaservers.FreePort(t)
			var got packetLines
			listener := exec.Command(mediaservers.FFmpeg(t), "-v", "error", "-nostdin", "-analyzeduration", "500000", "-f", "mpegts", "-i",
				fmt.Sprintf("srt://127.0.0.1:%d?mode=listener&passphrase=%s", port, passphrase), "-c", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1")
			listener.Stdout = &got
			mediaservers.Start(t, listener)
			time.Sleep(500 * time.Millisecond) // it prints nothing when it listens
			address := fmt.Sprintf("srt://127.0.0.1:%d?streamid=planted-stream&pbkeylen=%d&latency=50000&passphrase=", port, keyLength)
			refused := publish(t, movie, address+"another-passphrase")
			if err := <-refused.lost; !strings.Contains(err.Error(), "rejected the handshake") || !strings.Contains(err.Error(), fmt.Sprint(port)) {
				t.Error(err)
			}
			p := publish(t, movie, address+passphrase)
			until(t, p, func() bool { return got.count.Load() > 30 })
			if names := exposed.Check(t, []*exec.Cmd{listener}, passphrase, "planted-stream"); !strings.Contains(names, "ffmpeg") {
				t.Errorf("no ffmpeg among %q", names)
			}
		})
	}
}

// packetLines counts the packets of a listener.
type packetLines struct{ count atomic.Int64 }

func (l *packetLines) Write(data []byte) (int, error) {
	l.count.Add(int64(strings.Count(string(data), "\n")))
	return len(data), nil
}

func TestAServerThatIsNotThereIsNamed(t *testing.T) {
	movie := mediaservers.Movie(t)
	port := mediaservers.FreePort(t)
	for scheme, expected := range map[string]string{"rtsp": "Connection refused", "rtsps": "Connection refused"} {
		p := publish(t, movie, fmt.Sprintf("%s://me:planted-pw@127.0.0.1:%d/in", scheme, port))
		if err := <-p.lost; !strings.Contains(err.Error(), expected) || !strings.Contains(err.Error(), fmt.Sprint(port)) || strings.Contains(err.Error(), "planted") {
			t.Error(err)
		}
	}
}

// TestARefusedAnnouncementHasItsStatus has the responses of MediaMTX 1.20.1 to a publisher of a stream that another one
// publishes; ffmpeg only says that it could not write its header.
func TestARefusedAnnouncementHasItsStatus(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		requests := bufio.NewScanner(connection)
		for requests.Scan() {
			method, _, _ := strings.Cut(requests.Text(), " ")
			switch method {
			case "OPTIONS":
				_, _ = io.WriteString(connection, "RTSP/1.0 200 OK\r\nCSeq: 1\r\nPublic: DESCRIBE, ANNOUNCE, SETUP, PLAY, RECORD, PAUSE, GET_PARAMETER, TEARDOWN\r\nServer: gortsplib\r\n\r\n")
			case "ANNOUNCE":
				_, _ = io.WriteString(connection, "RTSP/1.0 400 Bad Request\r\nCSeq: 2\r\nServer: gortsplib\r\n\r\n")
			}
		}
	}()
	p := publish(t, mediaservers.Movie(t), "rtsp://"+listener.Addr().String()+"/taken")
	if err := <-p.lost; !strings.Contains(err.Error(), "method ANNOUNCE failed: 400 Bad Request; ") || !strings.Contains(err.Error(), "another publisher") {
		t.Error(err)
	}
}
