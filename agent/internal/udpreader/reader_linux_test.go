package udpreader

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// eachTicking skips the reader that has no overflow counter and no thread.
func eachTicking(t *testing.T, test func(*testing.T, Reader)) {
	each(t, func(t *testing.T, reader Reader) {
		if reader != Portable {
			test(t, reader)
		}
	})
}

func TestASocketOverflowIsReported(t *testing.T) {
	eachTicking(t, func(t *testing.T, reader Reader) {
		conn, remote := peer(t, "127.0.0.1:0")
		c := &collector{}
		socket := open(t, newLoop(t, reader), false, c)
		to := netip.AddrPortFrom(remote.Addr(), socket.Port())
		c.hold.Lock()
		const sent = 5000 // far more than a socket buffer holds
		for range sent {
			if _, err := conn.WriteToUDPAddrPort(make([]byte, 1200), to); err != nil {
				t.Fatal(err)
			}
		}
		c.hold.Unlock()
		// The count comes with a datagram received after the loss; "last" may find the buffer still full.
		lasts, deadline := 0, time.Now().Add(waitTimeout)
		for list := c.wait(t, 10); list[len(list)-1].text != "last"; list = c.wait(t, 10) {
			if time.Now().After(deadline) {
				t.Fatal("no datagram is received any more")
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
			t.Errorf("%d sent, %d received, %d reported as dropped here", sent, received, c.overflow)
		}
	})
}

func TestAClosedSocketIsForgotten(t *testing.T) {
	eachTicking(t, func(t *testing.T, reader Reader) {
		loop := newLoop(t, reader)
		socket := open(t, loop, false, &collector{})
		if err := socket.Close(); err != nil {
			t.Fatal(err)
		}
		tick := tickOf(loop)
		for deadline := time.Now().Add(waitTimeout); ; time.Sleep(time.Millisecond) {
			tick.Mutex.Lock()
			busy := tick.Occupied()
			tick.Mutex.Unlock()
			if busy == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d sockets are still known, so the loop would never sleep", busy)
			}
		}
		if loop.Thread() == 0 {
			t.Error("the reading thread is unknown")
		}
	})
}

func tickOf(loop Loop) *ticker {
	switch of := loop.(type) {
	case *uringLoop:
		return &of.ticker
	case *epollLoop:
		return &of.ticker
	}
	return nil
}

// TestMoreThanTheBuffersHold fills every buffer of a ring at once: what exceeds them waits in the sockets.
func TestMoreThanTheBuffersHold(t *testing.T) {
	eachTicking(t, func(t *testing.T, reader Reader) {
		const sockets, each = 60, 60 // together more than ringBuffers, each less than a socket buffer holds
		conn, remote := peer(t, "127.0.0.1:0")
		loop := newLoop(t, reader)
		list := make([]*collector, sockets)
		for i := range list {
			list[i] = &collector{}
			socket := open(t, loop, false, list[i])
			to := netip.AddrPortFrom(remote.Addr(), socket.Port())
			if i == 0 {
				// The first one keeps the reader busy until all have been sent.
				list[i].hold.Lock()
			}
			for k := range each {
				if _, err := conn.WriteToUDPAddrPort([]byte(fmt.Sprint(k)), to); err != nil {
					t.Fatal(err)
				}
			}
		}
		list[0].hold.Unlock()
		for i, c := range list {
			for k, one := range c.wait(t, each) {
				if one.text != fmt.Sprint(k) {
					t.Fatalf("socket %d: datagram %d is %q", i, k, one.text)
				}
			}
			if len(c.errors) > 0 {
				t.Errorf("socket %d: %v", i, c.errors)
			}
		}
	})
}
