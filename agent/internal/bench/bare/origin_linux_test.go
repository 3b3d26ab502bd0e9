package bare_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/bench/bare"
	"fullhouse/agent/internal/bench/plain"
	"fullhouse/agent/internal/bench/stream"
)

const testTimeout = 20 * time.Second

func open(t *testing.T) *bare.Origin {
	t.Helper()
	origin, err := bare.Open(stream.Make(), func(sentence string) { t.Error(sentence) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := origin.Close(); err != nil {
			t.Error(err)
		}
	})
	return origin
}

func TestARealClientPullsFromTheBareOrigin(t *testing.T) {
	origin := open(t)
	group, err := plain.New(&url.URL{Scheme: "http", Host: origin.HTTP(), Path: "/whep/live"})
	if err != nil {
		t.Fatal(err)
	}
	const viewers = 4
	group.Connect(context.Background(), viewers, 2)
	if f := group.Figures(); f.Connected != viewers || f.Failed != 0 {
		t.Fatalf("%+v", f)
	}
	deadline := time.Now().Add(testTimeout)
	for group.Figures().Packets < 200 {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", group.Figures())
		}
		time.Sleep(10 * time.Millisecond)
	}
	if sample := origin.Sample(); sample.Sessions != viewers || sample.Totals.Errors != 0 || sample.Totals.Packets < 200 {
		t.Errorf("%+v", sample)
	}
	group.Disconnect(context.Background())
	if left := origin.Sample().Sessions; left != 0 {
		t.Errorf("%d sessions remain", left)
	}
}

func TestReceiversGetEveryPacketOnce(t *testing.T) {
	origin := open(t)
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := socket.SetReadDeadline(time.Now().Add(testTimeout)); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"ports":[%d]}`, socket.LocalAddr().(*net.UDPAddr).Port)
	answer, err := http.Post("http://"+origin.HTTP()+"/receivers", "application/json", strings.NewReader(body))
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	buffer := make([]byte, 2048)
	last := map[byte]uint16{}
	for range 130 { // more than one loop of the stream
		n, err := socket.Read(buffer)
		if err != nil || n < 28 {
			t.Fatal(n, err)
		}
		kind, sequence := buffer[1]&0x7f, binary.BigEndian.Uint16(buffer[2:])
		if before, known := last[kind]; known && sequence != before+1 {
			t.Fatalf("packet %d of kind %d follows %d", sequence, kind, before)
		}
		last[kind] = sequence
	}
	if len(last) != 2 {
		t.Errorf("kinds %v", last)
	}
}
