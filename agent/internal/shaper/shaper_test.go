package shaper

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/netshape"
	"fullhouse/agent/internal/tcpreader"
	"fullhouse/agent/internal/udpreader"
)

const waitTimeout = 20 * time.Second

// collector is the handler of a socket or a connection.
type collector struct {
	mutex  sync.Mutex
	texts  []string
	bytes  int
	at     []int64 // as reported
	late   []int64 // by how much later the call came
	errors []error
	stop   int // after so many bytes nothing more is wanted; 0: never
}

func (c *collector) Datagram(data []byte, _ netip.AddrPort, at int64) { c.Bytes(data, at) }
func (c *collector) Overflow(uint32)                                  {}
func (c *collector) SocketError(err error)                            { c.Ended(err) }

func (c *collector) Bytes(data []byte, at int64) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.texts, c.bytes = append(c.texts, string(data[:min(len(data), 20)])), c.bytes+len(data)
	c.at, c.late = append(c.at, at), append(c.late, monotonic.Nano()-at)
	return c.stop == 0 || c.bytes < c.stop
}

func (c *collector) Ended(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.errors = append(c.errors, err)
}

func (c *collector) until(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitTimeout); ; time.Sleep(time.Millisecond) {
		c.mutex.Lock()
		fit := fits()
		c.mutex.Unlock()
		if fit {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s; %d bytes, %v", what, c.bytes, c.errors)
		}
	}
}

func newShaper(t *testing.T) *Shaper {
	t.Helper()
	s := New()
	t.Cleanup(s.Close)
	return s
}

func constant(down, up netshape.Direction) netshape.Schedule {
	return netshape.Schedule{{Network: netshape.Network{Down: down, Up: up}}}
}

func newPeer(t *testing.T) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn, conn.LocalAddr().(*net.UDPAddr).AddrPort()
}

func newLoop(t *testing.T) udpreader.Loop {
	t.Helper()
	loop, err := udpreader.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = loop.Close() })
	return loop
}

func TestDatagramsAreDelayedBothWaysInOrder(t *testing.T) {
	const oneWay = 60 * time.Millisecond
	under := newLoop(t)
	job := newShaper(t).Job(constant(netshape.Direction{DelayNs: int64(oneWay)}, netshape.Direction{DelayNs: int64(oneWay)}), 1, 1)
	c := &collector{}
	socket, err := job.Loop(under).Open(false, c)
	if err != nil {
		t.Fatal(err)
	}
	conn, remote := newPeer(t)
	sent := time.Now()
	for i := range 20 {
		if err := socket.SendTo(fmt.Appendf(nil, "packet %d", i), remote); err != nil {
			t.Fatal(err)
		}
	}
	buffer := make([]byte, 100)
	for i := range 20 {
		n, from, err := conn.ReadFromUDPAddrPort(buffer)
		if want := fmt.Sprintf("packet %d", i); err != nil || string(buffer[:n]) != want {
			t.Fatalf("%q, want %q: %v", buffer[:n], want, err)
		}
		if took := time.Since(sent); took < oneWay || took > oneWay+200*time.Millisecond {
			t.Errorf("packet %d took %s", i, took)
		}
		if _, err := conn.WriteToUDPAddrPort(buffer[:n], from); err != nil {
			t.Fatal(err)
		}
	}
	answered := monotonic.Nano()
	c.until(t, "the answers", func() bool { return len(c.texts) == 20 })
	for i, text := range c.texts {
		// The time of arrival is the time when the network delivers, not when the thread gets to it.
		if want := fmt.Sprintf("packet %d", i); text != want || c.at[i] < answered-int64(time.Second) || c.at[i] > answered+int64(oneWay) || c.late[i] < 0 {
			t.Errorf("packet %d is %q, at %d ns, %d ns late", i, text, c.at[i]-answered, c.late[i])
		}
	}
	down, up, _ := job.Sample()
	if down.Packets[netshape.Passed] != 20 || up.Packets[netshape.Passed] != 20 || up.Bytes != down.Bytes || up.Bytes < 20*(8+netshape.HeaderUDP4) {
		t.Errorf("%+v, %+v", down, up)
	}
	if again, _, _ := job.Sample(); again.Packets[netshape.Passed] != 0 {
		t.Error("an interval is reported twice")
	}
}

// The end of a session is sent just before the socket is closed: it must still arrive.
func TestWhatWasSentBeforeCloseArrives(t *testing.T) {
	under := newLoop(t)
	job := newShaper(t).Job(constant(netshape.Direction{DelayNs: int64(50 * time.Millisecond)}, netshape.Direction{DelayNs: int64(50 * time.Millisecond)}), 1, 1)
	c := &collector{}
	socket, err := job.Loop(under).Open(false, c)
	if err != nil {
		t.Fatal(err)
	}
	conn, remote := newPeer(t)
	if err := socket.Connect(remote); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.WriteToUDPAddrPort([]byte("too late"), netip.AddrPortFrom(remote.Addr(), socket.Port())); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // it is on its way
	if err := errors.Join(socket.Send([]byte("goodbye")), socket.Close(), socket.Close()); err != nil {
		t.Fatal(err)
	}
	if err := socket.Send([]byte("after")); !errors.Is(err, udpreader.ErrClosed) {
		t.Errorf("sending after Close: %v", err)
	}
	buffer := make([]byte, 100)
	if n, _, err := conn.ReadFromUDPAddrPort(buffer); err != nil || string(buffer[:n]) != "goodbye" {
		t.Errorf("%q, %v", buffer[:n], err)
	}
	time.Sleep(60 * time.Millisecond)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.texts)+len(c.errors) > 0 {
		t.Errorf("the handler of a closed socket got %q, %v", c.texts, c.errors)
	}
}

func TestViewersShareLinksAndFreeThem(t *testing.T) {
	job := newShaper(t).Job(constant(netshape.Direction{BitsPerSecond: 1e6, QueueNs: 1e8}, netshape.Direction{}), 3, 1)
	var paths []*path
	for i := range 7 {
		paths = append(paths, job.enter(i, 28))
	}
	second := job.enter(0, 28) // another connection of the first viewer
	if paths[0].link != paths[2].link || paths[2].link == paths[3].link || second.link != paths[0].link || len(job.links) != 3 {
		t.Errorf("%d links", len(job.links))
	}
	if down, _, _ := job.Sample(); down.LimitBitsPerSecond != 3e6 {
		t.Errorf("limit %g", down.LimitBitsPerSecond)
	}
	paths[6].leave()
	paths[6].leave()
	paths[0].leave() // the viewer has another connection
	if down, _, _ := job.Sample(); down.LimitBitsPerSecond != 2e6 || job.links[0].viewers != 3 {
		t.Errorf("limit %g, %d on the first link", down.LimitBitsPerSecond, job.links[0].viewers)
	}
	second.leave()
	if late := job.enter("late", 28); late.link != paths[2].link {
		t.Error("a free place is not used")
	}
}

func TestAScheduleChangesTheNetwork(t *testing.T) {
	job := newShaper(t).Job(netshape.Schedule{{}, {After: time.Second, Network: netshape.Network{Down: netshape.Direction{Loss: 1}}},
		{After: 2 * time.Second, Network: netshape.Network{Up: netshape.Direction{Loss: 1}}}}, 1, 1)
	p := job.enter(1, 28)
	for after, lost := range []bool{false, true, false} {
		if outcome := p.next(job.start+int64(after)*int64(time.Second), 100, false); (outcome.Rule == netshape.RandomLoss) != lost {
			t.Errorf("after %d s: %+v", after, outcome)
		}
	}
}

// connect makes a connection that is read behind the network, and its other side.
func connect(t *testing.T, under tcpreader.Streams, job *Job, c *collector) (tcpreader.Stream, net.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp4", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	stream, err := job.Streams(under).Take(client, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stream.Close(true) })
	return stream, server
}

// eachStreams runs a test with both readers of TCP.
func eachStreams(t *testing.T, test func(*testing.T, tcpreader.Streams)) {
	for name, start := range map[string]func() (tcpreader.Streams, error){"best": tcpreader.New,
		"portable": func() (tcpreader.Streams, error) { return tcpreader.NewPortable(), nil }} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			under, err := start()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = under.Close() })
			test(t, under)
		})
	}
}

// A server that sends as fast as it can is slowed down to the rate, and all that it sends arrives.
func TestTCPIsReadNoFasterThanTheRate(t *testing.T) {
	eachStreams(t, func(t *testing.T, under tcpreader.Streams) {
		const rate, seconds = 4e6, 1.5
		job := newShaper(t).Job(constant(netshape.Direction{BitsPerSecond: rate, QueueNs: 1e8, Loss: 0.5}, netshape.Direction{}), 1, 1)
		c := &collector{}
		_, server := connect(t, under, job, c)
		go func() {
			data := make([]byte, 64<<10)
			for {
				if _, err := server.Write(data); err != nil {
					return
				}
			}
		}()
		c.until(t, "the first bytes", func() bool { return c.bytes > 0 })
		time.Sleep(300 * time.Millisecond)
		c.mutex.Lock()
		before, started := c.bytes, time.Now()
		c.mutex.Unlock()
		time.Sleep(time.Duration(seconds * float64(time.Second)))
		c.mutex.Lock()
		payload := float64(c.bytes-before) * 8 / time.Since(started).Seconds()
		c.mutex.Unlock()
		got := payload * (netshape.SegmentTCP + netshape.HeaderTCP) / netshape.SegmentTCP
		t.Logf("%.0f kbit/s, asked %.0f", got/1000, rate/1000)
		if got < 0.95*rate || got > 1.05*rate {
			t.Errorf("%.0f kbit/s, asked %.0f", got/1000, rate/1000)
		}
		if down, _, _ := job.Sample(); down.Packets[netshape.RandomLoss]+down.Packets[netshape.QueueFull] != 0 {
			t.Errorf("data of TCP was dropped: %v", down.Packets)
		}
	})
}

func TestTCPIsDelayedAndEndsAfterItsData(t *testing.T) {
	eachStreams(t, func(t *testing.T, under tcpreader.Streams) {
		const oneWay = 80 * time.Millisecond
		job := newShaper(t).Job(constant(netshape.Direction{DelayNs: int64(oneWay)}, netshape.Direction{DelayNs: int64(oneWay)}), 1, 1)
		c := &collector{}
		stream, server := connect(t, under, job, c)
		sent := time.Now()
		if err := stream.Send([]byte("request")); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 100)
		if n, err := server.Read(buffer); err != nil || string(buffer[:n]) != "request" || time.Since(sent) < oneWay {
			t.Fatalf("%q after %s, %v", buffer[:n], time.Since(sent), err)
		}
		if _, err := server.Write([]byte("response")); err != nil {
			t.Fatal(err)
		}
		_ = server.Close()
		c.until(t, "the end", func() bool { return len(c.errors) == 1 })
		if took := time.Since(sent); took < 2*oneWay || took > 2*oneWay+500*time.Millisecond {
			t.Errorf("a round trip of %s", took)
		}
		if len(c.texts) != 1 || c.texts[0] != "response" || !errors.Is(c.errors[0], io.EOF) {
			t.Errorf("%q, %v", c.texts, c.errors)
		}
		if now := monotonic.Nano(); stream.SeenUntil(now) != now {
			t.Error("with nothing on its way, not all has been seen")
		}
	})
}

func TestAStreamThatIsNotWantedAnyMoreEnds(t *testing.T) {
	eachStreams(t, func(t *testing.T, under tcpreader.Streams) {
		job := newShaper(t).Job(constant(netshape.Direction{DelayNs: int64(5 * time.Millisecond)}, netshape.Direction{}), 1, 1)
		c := &collector{stop: 1}
		stream, server := connect(t, under, job, c)
		for range 5 {
			if _, err := server.Write(make([]byte, 100)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		if err := stream.Close(false); err != nil {
			t.Fatal(err)
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if len(c.texts) != 1 {
			t.Errorf("%d calls", len(c.texts))
		}
	})
}

func TestTheShaperIsBoundedAndEmptiesAtItsEnd(t *testing.T) {
	s := New()
	c := &socketOfTest{}
	for range maxHeld {
		if !s.hold(held{owner: c, at: monotonic.Nano() + int64(5*time.Second)}) {
			t.Fatal("it is full too early")
		}
	}
	if s.hold(held{owner: c, at: monotonic.Nano() + int64(5*time.Second)}) {
		t.Error("it holds more than its bound")
	}
	s.Close()
	if c.released != maxHeld {
		t.Errorf("%d of %d were released at the end", c.released, maxHeld)
	}
	if s.hold(held{owner: c}) {
		t.Error("it holds more after its end")
	}
}

type socketOfTest struct{ released int }

func (c *socketOfTest) release(*held) { c.released++ }
