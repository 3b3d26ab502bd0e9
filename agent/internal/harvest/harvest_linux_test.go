package harvest

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

// eachBeating leaves out the reader that knows no overflows and no thread.
func eachBeating(t *testing.T, test func(*testing.T, Reader)) {
	each(t, func(t *testing.T, reader Reader) {
		if reader != Portable {
			test(t, reader)
		}
	})
}

func TestAnOverflowOfOurSocketIsTold(t *testing.T) {
	eachBeating(t, func(t *testing.T, reader Reader) {
		conn, remote := peer(t, "127.0.0.1:0")
		c := &collector{}
		socket := open(t, newLoop(t, reader), false, c)
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
	})
}

func TestAClosedSocketIsForgotten(t *testing.T) {
	eachBeating(t, func(t *testing.T, reader Reader) {
		loop := newLoop(t, reader)
		socket := open(t, loop, false, &collector{})
		if err := socket.Close(); err != nil {
			t.Fatal(err)
		}
		beat := beatOf(loop)
		for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			beat.mutex.Lock()
			busy := beat.busy
			beat.mutex.Unlock()
			if busy == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d sockets are still known, so the loop would never rest", busy)
			}
		}
		if loop.Thread() == 0 {
			t.Error("the reading thread is not known")
		}
	})
}

func beatOf(loop Loop) *beating {
	switch of := loop.(type) {
	case *uringLoop:
		return &of.beating
	case *epollLoop:
		return &of.beating
	}
	return nil
}

// TestMoreThanTheBuffersHold fills every buffer of a ring at once: what does not fit waits in the sockets.
func TestMoreThanTheBuffersHold(t *testing.T) {
	eachBeating(t, func(t *testing.T, reader Reader) {
		const sockets, each = 60, 60 // more together than ringBuffers, each less than a socket holds
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
