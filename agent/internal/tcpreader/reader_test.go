package tcpreader

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

const waitTimeout = 20 * time.Second

// streamRecorder is a handler that keeps what it gets.
type streamRecorder struct {
	mutex   sync.Mutex
	data    []byte
	at      []int64
	ended   error
	enough  int // bytes after which it stops, 0: never
	portion int // the largest
}

func (c *streamRecorder) Bytes(data []byte, at int64) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.data = append(c.data, data...)
	c.at = append(c.at, at)
	c.portion = max(c.portion, len(data))
	return c.enough == 0 || len(c.data) < c.enough
}

func (c *streamRecorder) Ended(err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.ended = err
}

func (c *streamRecorder) until(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitTimeout); ; time.Sleep(time.Millisecond) {
		c.mutex.Lock()
		ok := fits()
		c.mutex.Unlock()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s; %d bytes, ended %v", what, len(c.data), c.ended)
		}
	}
}

// bothWays runs a test with the reader of this system and with the portable one.
func bothWays(t *testing.T, test func(t *testing.T, streams Streams)) {
	for name, make := range map[string]func() (Streams, error){"best": New, "plain": func() (Streams, error) { return NewPortable(), nil }} {
		t.Run(name, func(t *testing.T) {
			streams, err := make()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := streams.Close(); err != nil {
					t.Error(err)
				}
			})
			test(t, streams)
		})
	}
}

// connect returns a taken stream and its other side.
func connect(t *testing.T, streams Streams, handler Handler) (Stream, *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	connection, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	other, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	stream, err := streams.Take(connection, handler)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = other.Close()
		if err := stream.Close(false); err != nil {
			t.Error(err)
		}
	})
	return stream, other.(*net.TCPConn)
}

func TestDataArrivesAndTheEndIsReported(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		c := &streamRecorder{}
		stream, other := connect(t, streams, c)
		before := time.Now().UnixNano()
		sent := bytes.Repeat([]byte("0123456789"), 50_000)
		if _, err := other.Write(sent); err != nil {
			t.Fatal(err)
		}
		c.until(t, "all of it", func() bool { return bytes.Equal(c.data, sent) })
		for _, at := range c.at {
			if at < before-int64(time.Millisecond) || at > time.Now().UnixNano() {
				t.Errorf("arrived %d ns after it was sent", at-before)
			}
		}
		if err := stream.Send([]byte("thanks")); err != nil {
			t.Fatal(err)
		}
		answer := make([]byte, 6)
		if _, err := io.ReadFull(other, answer); err != nil || string(answer) != "thanks" {
			t.Errorf("%q, %v", answer, err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		c.until(t, "the end", func() bool { return errors.Is(c.ended, io.EOF) })
	})
}

func TestABrokenConnectionIsReported(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		c := &streamRecorder{}
		_, other := connect(t, streams, c)
		if err := errors.Join(other.SetLinger(0), other.Close()); err != nil {
			t.Fatal(err)
		}
		c.until(t, "the reset", func() bool { return c.ended != nil && !errors.Is(c.ended, io.EOF) })
	})
}

func TestAHandlerThatStopsGetsNoMore(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		c, neighbour := &streamRecorder{enough: 1}, &streamRecorder{}
		_, other := connect(t, streams, c)
		_, next := connect(t, streams, neighbour)
		for range 20 {
			if _, err := other.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if _, err := next.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		neighbour.until(t, "the neighbour's", func() bool { return len(neighbour.data) == 20 })
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if calls := len(c.at); calls != 1 || c.ended != nil {
			t.Errorf("%d calls, %v", calls, c.ended)
		}
	})
}

func TestAClosedStreamReceivesNothing(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		c := &streamRecorder{}
		stream, other := connect(t, streams, c)
		if err := errors.Join(stream.Close(true), stream.Close(false)); err != nil {
			t.Fatal(err)
		}
		if err := stream.Send([]byte("x")); err == nil {
			t.Error("sending still works")
		}
		stream.Tune(1e6)
		if stream.RoundTrip() != 0 || len(c.data) != 0 || c.ended != nil {
			t.Errorf("%v, %q, %v", stream.RoundTrip(), c.data, c.ended)
		}
		if n, err := other.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("the other side reads %d bytes, %v: the connection is still open", n, err)
		}
	})
}

func TestAPeerThatAcceptsNoDataIsAnError(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		stream, _ := connect(t, streams, &streamRecorder{})
		data := make([]byte, 1<<20)
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			err = stream.Send(data)
		}
		if !errors.Is(err, ErrFull) {
			t.Errorf("%v", err)
		}
	})
}

// TestFewBytesAreReadToo sends less than is worth a read: it is read anyway, and what follows a silence has its own
// time.
func TestFewBytesAreReadToo(t *testing.T) {
	bothWays(t, func(t *testing.T, streams Streams) {
		c := &streamRecorder{}
		stream, other := connect(t, streams, c)
		stream.Tune(1e9)
		if _, err := other.Write([]byte("few")); err != nil {
			t.Fatal(err)
		}
		c.until(t, "the few", func() bool { return string(c.data) == "few" })
		if until, now := stream.SeenUntil(c.at[0]+1), time.Now().UnixNano(); until < c.at[0] || until > now {
			t.Errorf("seen until %d, arrived at %d, now %d", until, c.at[0], now)
		}
		if err := other.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		c.until(t, "the end", func() bool { return errors.Is(c.ended, io.EOF) })
	})
}
