package publish

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// agreeable is an RTMP server that says yes to whatever it is asked, in advance, and counts the bytes that it gets. What they
// are is the business of package rtmp's own tests.
type agreeable struct {
	net.Listener
	bytes atomic.Int64
	// sockets are the connections, one after the other.
	sockets chan net.Conn
}

func startAgreeable(t *testing.T) *agreeable {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a := &agreeable{Listener: listener, sockets: make(chan net.Conn, 16)}
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

func (a *agreeable) serve(socket net.Conn) {
	defer socket.Close()
	hello := make([]byte, 1+handshakeBytes)
	if _, err := io.ReadFull(socket, hello); err != nil {
		return
	}
	yes := append(append([]byte{3}, make([]byte, handshakeBytes)...), hello[1:]...)
	yes = append(yes, said("\x02\x00\x07_result", 1, "\x05")...)
	yes = append(yes, said("\x02\x00\x07_result", 4, "\x05\x00\x3f\xf0\x00\x00\x00\x00\x00\x00")...)
	yes = append(yes, said("\x02\x00\x08onStatus", 0, "\x05\x03\x00\x04code\x02\x00\x17NetStream.Publish.Start\x00\x00\x09")...)
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

// said is a command in one chunk: its name, the transaction that it answers (0, 1 or 4), and the rest.
func said(name string, transaction byte, rest string) []byte {
	number := map[byte]uint16{0: 0, 1: 0x3ff0, 4: 0x4010}[transaction] // how a float64 begins
	body := append([]byte(name), 0)
	body = append(binary.BigEndian.AppendUint16(body, number), 0, 0, 0, 0, 0, 0)
	body = append(body, rest...)
	return append([]byte{3, 0, 0, 0, 0, 0, byte(len(body)), 20, 0, 0, 0, 0}, body...)
}

func TestTheSamplesVideoIsPublishedByRTMPAndAgainAfterALoss(t *testing.T) {
	server := startAgreeable(t)
	p, told := newPublications(t)
	result, err := p.Publish(Params{Job: "studio", Protocol: "rtmp", URL: "rtmp://" + server.Addr().String() + "/live/cam", Sample: "sample-240p"})
	if err != nil || len(result.Warnings) != 1 || !strings.Contains(result.Warnings[0], "without sound") {
		t.Fatalf("%+v, %v", result, err)
	}
	first := <-server.sockets
	eventually(t, "pictures arrive", func() bool { return server.bytes.Load() > 20_000 })
	if v := p.first(); v.State != Live || v.BitrateKbps < 50 || v.FPS < 1 || v.Protocol != "rtmp" {
		t.Errorf("%+v", v)
	}
	_ = first.Close() // that is the test
	<-server.sockets
	eventually(t, "it is told", func() bool { return told.names() == "publication-lost publication-live" })
	if _, err := p.End(EndParams{Job: "studio"}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it ends", func() bool { return p.Left() == 0 })
	if names := told.names(); names != "publication-lost publication-live job-ended" {
		t.Errorf("%s", names)
	}
}

func TestWhoIsForcedToEndDoesNotWait(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	p, told := newPublications(t)
	for job, address := range map[string]string{"a": "rtmp://" + silent.Addr().String() + "/live/cam", "b": "http://" + silent.Addr().String() + "/whip/cam"} {
		protocol, _, _ := strings.Cut(address, ":")
		if protocol == "http" {
			protocol = "whip"
		}
		if _, err := p.Publish(Params{Job: job, Protocol: protocol, URL: address, Sample: "sample-240p"}); err != nil {
			t.Fatal(err)
		}
	}
	p.EndAll(true)
	eventually(t, "both end", func() bool { return p.Left() == 0 })
	if names := told.names(); names != "job-ended job-ended" {
		t.Errorf("%s", names)
	}
}
