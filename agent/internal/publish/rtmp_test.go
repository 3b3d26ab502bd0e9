package publish

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"fullhouse/agent/internal/protocol"
)

// acceptingServer is an RTMP server that accepts every request, in advance, and counts the received bytes. Their
// content is covered by package rtmp's own tests.
type acceptingServer struct {
	net.Listener
	bytes atomic.Int64
	// sockets are the connections, in order.
	sockets chan net.Conn
}

func startAccepting(t *testing.T) *acceptingServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := &acceptingServer{Listener: listener, sockets: make(chan net.Conn, 16)}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			a.sockets <- socket
			go a.serve(socket)
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-ended })
	return a
}

const handshakeBytes = 1536

func (a *acceptingServer) serve(socket net.Conn) {
	defer socket.Close()
	hello := make([]byte, 1+handshakeBytes)
	if _, err := io.ReadFull(socket, hello); err != nil {
		return
	}
	yes := append(append([]byte{3}, make([]byte, handshakeBytes)...), hello[1:]...)
	yes = append(yes, commandBytes("\x02\x00\x07_result", 1, "\x05")...)
	yes = append(yes, commandBytes("\x02\x00\x07_result", 4, "\x05\x00\x3f\xf0\x00\x00\x00\x00\x00\x00")...)
	yes = append(yes, commandBytes("\x02\x00\x08onStatus", 0, "\x05\x03\x00\x04code\x02\x00\x17NetStream.Publish.Start\x00\x00\x09")...)
	if _, err := socket.Write(yes); err != nil {
		return
	}
	buffer := make([]byte, 4096)
	for {
		read, err := socket.Read(buffer)
		a.bytes.Add(int64(read))
		if err != nil {
			return
		}
	}
}

// commandBytes is a command in one chunk: its name, its transaction (0, 1 or 4), and the rest.
func commandBytes(name string, transaction byte, rest string) []byte {
	number := map[byte]uint16{0: 0, 1: 0x3ff0, 4: 0x4010}[transaction] // the first bytes of a float64
	body := append([]byte(name), 0)
	body = append(binary.BigEndian.AppendUint16(body, number), 0, 0, 0, 0, 0, 0)
	body = append(body, rest...)
	return append([]byte{3, 0, 0, 0, 0, 0, byte(len(body)), 20, 0, 0, 0, 0}, body...)
}

func TestTheSamplesVideoIsPublishedOverRTMPAndAgainAfterALoss(t *testing.T) {
	server := startAccepting(t)
	p, recorded := newPublications(t)
	result, err := p.Publish(protocol.AudiencePublishParams{Job: "studio", Protocol: "rtmp",
		URL: "rtmp://" + server.Addr().String() + "/live/cam", Sample: "sample-240p"})
	if err != nil || len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "without audio") {
		t.Fatalf("%+v, %v", result, err)
	}
	first := <-server.sockets
	eventually(t, "video arrives", func() bool { return server.bytes.Load() > 20_000 })
	if v := p.first(); v.State != protocol.PublicationLive || v.BitrateKbps < 50 || v.FPS < 1 || v.Protocol != "rtmp" {
		t.Errorf("%+v", v)
	}
	before := p.first().MediaClock
	if before == nil || before.DurationMs != 12_000 {
		t.Fatalf("%+v", before)
	}
	_ = first.Close() // the connection loss under test
	<-server.sockets
	eventually(t, "the interruption is reported", func() bool { return recorded.names() == "publication-lost publication-live" })
	eventually(t, "the new connection begins with the sample", func() bool {
		after := p.first().MediaClock
		return after != nil && after.StartMs > before.StartMs && after.SinceMs == after.StartMs
	})
	if _, err := p.End(protocol.AudienceUnpublishParams{Job: "studio"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "publishing ended", func() bool { return p.Remaining() == 0 })
	if names := recorded.names(); names != "publication-lost publication-live job-ended" {
		t.Errorf("%s", names)
	}
}

func TestAForcedEndDoesNotWait(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	p, recorded := newPublications(t)
	for job, address := range map[string]string{"a": "rtmp://" + silent.Addr().String() + "/live/cam", "b": "http://" + silent.Addr().String() + "/whip/cam"} {
		by := protocol.PublishProtocolRTMP
		if strings.HasPrefix(address, "http:") {
			by = protocol.PublishProtocolWHIP
		}
		if _, err := p.Publish(protocol.AudiencePublishParams{Job: job, Protocol: by, URL: address,
			Sample: "sample-240p"}); err != nil {
			t.Fatal(err)
		}
	}
	p.EndAll(true)
	eventually(t, "both ended", func() bool { return p.Remaining() == 0 })
	if names := recorded.names(); names != "job-ended job-ended" {
		t.Errorf("%s", names)
	}
}
