package floor

import (
	"context"
	"net"
	"testing"
	"time"
)

func TestBothModesReceiveWhatIsSent(t *testing.T) {
	for _, mode := range []Mode{OneSocket, SocketEach} {
		const viewers, each = 5, 20
		r, err := Open(mode, viewers)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		if len(r.Ports()) != viewers {
			t.Errorf("%s: ports %v", mode, r.Ports())
		}
		sender, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		for range each {
			for _, port := range r.Ports() {
				if _, err := sender.WriteTo(make([]byte, 100), &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(port)}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for deadline := time.Now().Add(20 * time.Second); r.Packets.Load() < viewers*each && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if packets, bytes := r.Packets.Load(), r.Bytes.Load(); packets != viewers*each || bytes != 100*viewers*each {
			t.Errorf("%s: %d packets, %d bytes", mode, packets, bytes)
		}
		r.Close()
		sender.Close()
	}
}
