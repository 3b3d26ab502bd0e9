package tcpreader

import (
	"net"
	"os"
	"testing"
	"time"
)

// takeNew returns a stream of a new reader and its other side; both end with the test.
func takeNew(t *testing.T, handler Handler) (Stream, *net.TCPConn) {
	t.Helper()
	streams, err := New()
	if err != nil {
		t.Fatal(err)
	}
	stream, other := connect(t, streams, handler)
	t.Cleanup(func() {
		_ = stream.Close(false)
		if err := streams.Close(); err != nil {
			t.Error(err)
		}
	})
	return stream, other
}

// TestReadSizeFitsTheRate sends a steady trickle: at the low-water mark of its rate there are few reads, at a mark of 1
// one for each write.
func TestReadSizeFitsTheRate(t *testing.T) {
	c := &streamRecorder{}
	stream, other := takeNew(t, c)
	stream.Tune(1000 / streamShare.Seconds()) // 1,000 bytes are worth a read
	for range 40 {
		if _, err := other.Write(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	c.until(t, "all", func() bool { return len(c.data) == 4000 })
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.at) > 20 {
		t.Errorf("%d reads of 4,000 bytes", len(c.at))
	}
}

// TestGapLengthIsExact sends little, waits, and sends little again; the times show the gap although nothing was worth a
// read.
func TestGapLengthIsExact(t *testing.T) {
	c := &streamRecorder{}
	stream, other := takeNew(t, c)
	stream.Tune(1e6)
	const gap = 700 * time.Millisecond
	var before, after [2]int64
	for i := range before {
		if i > 0 {
			time.Sleep(gap)
		}
		before[i] = time.Now().UnixNano()
		if _, err := other.Write([]byte("little")); err != nil {
			t.Fatal(err)
		}
		after[i] = time.Now().UnixNano()
	}
	c.until(t, "both", func() bool { return len(c.data) == 12 })
	if len(c.at) != 2 {
		t.Fatalf("%d reads", len(c.at))
	}
	if mark := stream.(*tcpStream).mark.Load(); mark != 1 {
		t.Errorf("after a silence the low-water mark is %d bytes", mark)
	}
	// The kernel's times are those of the writes on loopback, however late they are read.
	for i, at := range c.at {
		if at < before[i]-int64(time.Millisecond) || at > after[i]+int64(100*time.Millisecond) {
			t.Errorf("part %d arrived %d ns after it was sent", i, at-before[i])
		}
	}
}

func TestWaitingDataIsHandedOverOnFlush(t *testing.T) {
	c := &streamRecorder{}
	stream, other := takeNew(t, c)
	for range 20 {
		stream.Tune(1e6)
		if _, err := other.Write([]byte("little")); err != nil {
			t.Fatal(err)
		}
		stream.Flush() // on loopback it has arrived by now
	}
	c.until(t, "all", func() bool { return len(c.data) == 120 })
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.at) < 10 { // a busy machine may have read some together
		t.Errorf("%d reads", len(c.at))
	}
}

func TestNoDescriptorLeaks(t *testing.T) {
	count := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	streams, err := New()
	if err != nil {
		t.Fatal(err)
	}
	before := count()
	for range 50 {
		c := &streamRecorder{}
		stream, other := connect(t, streams, c)
		_ = other.Close()
		c.until(t, "the end", func() bool { return c.ended != nil })
		if err := stream.Close(false); err != nil {
			t.Fatal(err)
		}
	}
	if after := count(); after > before+2 { // the runtime may have opened some
		t.Errorf("%d descriptors, %d before", after, before)
	}
	if l := streams.(*streamLoop); len(l.known) != 0 {
		t.Errorf("%d streams are still known", len(l.known))
	}
	if err := streams.Close(); err != nil {
		t.Error(err)
	}
}
