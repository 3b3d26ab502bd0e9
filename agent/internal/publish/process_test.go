package publish

import (
	"bytes"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/testing/mediaservers"
)

// received is what ffmpeg, as the listening server, has received: a line per packet.
type received struct {
	mutex sync.Mutex
	lines bytes.Buffer
}

func (r *received) Write(data []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.lines.Write(data)
}

// packets of a stream.
func (r *received) packets(stream string) int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return strings.Count("\n"+r.lines.String(), "\n"+stream+",")
}

func TestPublishesOverRTSPAndSRT(t *testing.T) {
	movie := mediaservers.Movie(t)
	for name, c := range map[string]struct {
		address  string
		listener []string
		protocol protocol.PublishProtocol
	}{
		"RTSP": {"rtsp://127.0.0.1:%d/cam", []string{"-rtsp_flags", "listen", "-i", "rtsp://127.0.0.1:%d/cam"}, protocol.PublishProtocolRTSP},
		"SRT":  {"srt://127.0.0.1:%d?streamid=publish:cam", []string{"-f", "mpegts", "-i", "srt://127.0.0.1:%d?mode=listener"}, protocol.PublishProtocolSRT},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			port := mediaservers.FreePort(t)
			var got received
			arguments := append([]string{"-v", "error", "-nostdin"}, c.listener...)
			arguments[len(arguments)-1] = fmt.Sprintf(arguments[len(arguments)-1], port)
			command := exec.Command(mediaservers.FFmpeg(t), append(arguments, "-c", "copy", "-flush_packets", "1", "-f", "framecrc", "pipe:1")...)
			command.Stdout = &got
			stop := mediaservers.Start(t, command)
			time.Sleep(500 * time.Millisecond) // an attempt before the server listens has failed, and is not repeated
			p := New(Config{Event: func(protocol.AgentEvent) {}})
			t.Cleanup(func() { p.EndAll(true) })
			if _, err := p.Publish(protocol.AudiencePublishParams{Job: "push", Protocol: c.protocol, URL: fmt.Sprintf(c.address, port), Sample: movie}); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(20 * time.Second); got.packets("0") < 40 || got.packets("1") < 40; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d and %d packets; %+v", got.packets("0"), got.packets("1"), p.Sample(time.Second))
				}
			}
			if view := p.Sample(time.Second)[0]; view.State != protocol.PublicationLive || p.Processes() != 1 {
				t.Errorf("%+v, %d processes", view, p.Processes())
			}
			stop()
			for end := time.Now().Add(20 * time.Second); p.Sample(time.Second)[0].State == protocol.PublicationLive; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the loss of the server was not noticed")
				}
			}
			p.EndAll(false)
			for end := time.Now().Add(20 * time.Second); p.Remaining() > 0; time.Sleep(20 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("the publisher has not ended")
				}
			}
		})
	}
}

func TestARefusedPublisherSaysWhy(t *testing.T) {
	movie := mediaservers.Movie(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	p := New(Config{Event: func(protocol.AgentEvent) {}})
	if _, err := p.Publish(protocol.AudiencePublishParams{Job: "push", Protocol: protocol.PublishProtocolRTSP, URL: "rtsp://me:secret@" + address + "/cam", Sample: movie}); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if view := p.Sample(time.Second)[0]; view.State == protocol.PublicationFailed {
			if !strings.Contains(view.Problem, "Connection refused") || strings.Contains(view.Problem, "secret") {
				t.Error(view.Problem)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%+v", p.Sample(time.Second))
		}
	}
}
