package udpreader

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"
)

const waitTimeout = 20 * time.Second

type got struct {
	text string
	from netip.AddrPort
	at   int64
}

type collector struct {
	mutex  sync.Mutex
	list   []got
	errors []error
	// overflow is the latest count; hold lets a test stop the loop from reading.
	overflow uint32
	hold     sync.Mutex
}

func (c *collector) Datagram(data []byte, from netip.AddrPort, at int64) {
	c.hold.Lock() // a test may stop the loop here
	defer c.hold.Unlock()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.list = append(c.list, got{string(data), from, at})
}

func (c *collector) Overflow(total uint32) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.overflow = total
}

func (c *collector) SocketError(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.errors = append(c.errors, err)
}

// wait waits until the collector has this many datagrams.
func (c *collector) wait(t *testing.T, count int) []got {
	t.Helper()
	for deadline := time.Now().Add(waitTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		c.mutex.Lock()
		list := c.list
		c.mutex.Unlock()
		if len(list) >= count {
			return list
		}
	}
	t.Fatalf("timed out waiting for %d datagrams", count)
	return nil
}

// each runs a test with every reader of this system.
func each(t *testing.T, test func(*testing.T, Reader)) {
	for _, reader := range Readers() {
		loop, err := NewOf(reader)
		if err != nil && reader == IOUring {
			t.Logf("%s is not available here: %v", reader, err) // kernels and containers may forbid it
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := loop.Close(); err != nil {
			t.Fatal(err)
		}
		t.Run(string(reader), func(t *testing.T) { test(t, reader) })
	}
}

func newLoop(t *testing.T, reader Reader) Loop {
	t.Helper()
	loop, err := NewOf(reader)
	// The kernel frees an earlier test's ring only some time after it was closed, and a user may have memory for one
	// only.
	for deadline := time.Now().Add(waitTimeout); err != nil && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		loop, err = NewOf(reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := loop.Close(); err != nil {
			t.Error(err)
		}
	})
	return loop
}

func open(t *testing.T, loop Loop, ipv6 bool, handler Handler) Socket {
	t.Helper()
	socket, err := loop.Open(ipv6, handler)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := socket.Close(); err != nil {
			t.Error(err)
		}
	})
	return socket
}

func peer(t *testing.T, address string) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	conn, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.MustParseAddrPort(address)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

func TestDatagramsHaveSenderAndTime(t *testing.T) {
	each(t, func(t *testing.T, reader Reader) {
		addresses := []string{"127.0.0.1:0"}
		if probe, err := net.ListenPacket("udp6", "[::1]:0"); err == nil {
			_ = probe.Close()
			addresses = append(addresses, "[::1]:0")
		}
		for _, address := range addresses {
			conn, remote := peer(t, address)
			c := &collector{}
			socket := open(t, newLoop(t, reader), remote.Addr().Is6(), c)
			before := time.Now().UnixNano()
			const count = 100 // more than one batch
			for i := range count {
				if _, err := conn.WriteToUDPAddrPort([]byte(fmt.Sprint(i)), netip.AddrPortFrom(remote.Addr(), socket.Port())); err != nil {
					t.Fatal(err)
				}
			}
			for i, one := range c.wait(t, count) {
				if one.text != fmt.Sprint(i) || one.from != remote || one.at < before-int64(time.Second) || one.at > time.Now().UnixNano()+int64(time.Second) {
					t.Fatalf("datagram %d is %+v, from %s expected", i, one, remote)
				}
			}
		}
	})
}

func TestSendToConnectAndSend(t *testing.T) {
	each(t, func(t *testing.T, reader Reader) {
		conn, remote := peer(t, "127.0.0.1:0")
		unrelated, _ := peer(t, "127.0.0.1:0")
		c := &collector{}
		socket := open(t, newLoop(t, reader), false, c)
		if err := socket.SendTo([]byte("one"), remote); err != nil {
			t.Fatal(err)
		}
		if err := socket.Connect(remote); err != nil {
			t.Fatal(err)
		}
		if err := socket.Send([]byte("two")); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 100)
		for _, want := range []string{"one", "two"} {
			n, from, err := conn.ReadFromUDPAddrPort(buffer)
			if err != nil || string(buffer[:n]) != want || from.Port() != socket.Port() {
				t.Errorf("%q from %s, %v", buffer[:n], from, err)
			}
		}
		local := netip.AddrPortFrom(remote.Addr(), socket.Port())
		for _, from := range []*net.UDPConn{unrelated, conn} {
			if _, err := from.WriteToUDPAddrPort([]byte(from.LocalAddr().String()), local); err != nil {
				t.Fatal(err)
			}
		}
		if list := c.wait(t, 1); list[0].from != remote {
			t.Errorf("a datagram of another sender was received: %+v", list)
		}
	})
}

func TestAClosedSocketStaysClosed(t *testing.T) {
	each(t, func(t *testing.T, reader Reader) {
		loop := newLoop(t, reader)
		socket := open(t, loop, false, &collector{})
		if err := socket.Close(); err != nil {
			t.Fatal(err)
		}
		if err := socket.SendTo([]byte("x"), netip.MustParseAddrPort("127.0.0.1:9")); err == nil {
			t.Error("a closed socket sent")
		}
		if err := socket.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
	})
}

// TestSocketsOpenAndCloseUnderTraffic is for the race detector: descriptors are reused at once.
func TestSocketsOpenAndCloseUnderTraffic(t *testing.T) {
	each(t, func(t *testing.T, reader Reader) {
		loop := newLoop(t, reader)
		conn, remote := peer(t, "127.0.0.1:0")
		var workers sync.WaitGroup
		for range 4 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				for i := range 50 {
					c := &collector{}
					loop.Connecting(1)
					socket, err := loop.Open(false, c)
					if err != nil {
						t.Error(err)
						return
					}
					text := fmt.Sprint(i, socket.Port())
					for range 3 {
						if _, err := conn.WriteToUDPAddrPort([]byte(text), netip.AddrPortFrom(remote.Addr(), socket.Port())); err != nil {
							t.Error(err)
						}
					}
					if i%2 == 0 {
						for _, one := range c.wait(t, 3) {
							if one.text != text {
								t.Errorf("%q was received by the socket of %q", one.text, text)
							}
						}
					}
					if err := socket.Close(); err != nil {
						t.Error(err)
					}
					loop.Connecting(-1)
				}
			}()
		}
		workers.Wait()
	})
}
