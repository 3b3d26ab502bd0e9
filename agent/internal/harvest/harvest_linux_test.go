package harvest

import (
	"net/netip"
	"testing"
	"time"
)

func TestAnOverflowOfOurSocketIsTold(t *testing.T) {
	conn, remote := peer(t, "127.0.0.1:0")
	c := &collector{}
	socket := open(t, newLoop(t), false, c)
	to := netip.AddrPortFrom(remote.Addr(), socket.Port())
	c.hold.Lock()
	const sent = 5000 // far more than a socket's buffer holds
	for range sent {
		if _, err := conn.WriteToUDPAddrPort(make([]byte, 1200), to); err != nil {
			t.Fatal(err)
		}
	}
	c.hold.Unlock()
	// The count comes with a datagram that got in after the loss; "last" may find the buffer still full.
	lasts, deadline := 0, time.Now().Add(patience)
	for list := c.wait(t, 10); list[len(list)-1].text != "last"; list = c.wait(t, 10) {
		if time.Now().After(deadline) {
			t.Fatal("no datagram gets in any more")
		}
		if _, err := conn.WriteToUDPAddrPort([]byte("last"), to); err != nil {
			t.Fatal(err)
		}
		lasts++
		time.Sleep(5 * time.Millisecond)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	received := 0
	for _, one := range c.list {
		if one.text != "last" {
			received++
		}
	}
	if missing := sent - received; missing == 0 || int(c.overflow) < missing || int(c.overflow) > missing+lasts {
		t.Errorf("%d sent, %d received, %d told as dropped here", sent, received, c.overflow)
	}
}

func TestAClosedSocketIsForgotten(t *testing.T) {
	loop := newLoop(t)
	socket := open(t, loop, false, &collector{})
	if err := socket.Close(); err != nil {
		t.Fatal(err)
	}
	loop.mutex.Lock()
	defer loop.mutex.Unlock()
	if len(loop.sockets) != 0 {
		t.Errorf("%d sockets are still known, so the loop would never rest", len(loop.sockets))
	}
}
