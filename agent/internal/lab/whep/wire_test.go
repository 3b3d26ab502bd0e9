package whep

import (
	"errors"
	"net"
	"testing"
	"time"
)

func testWire() (w *wire, sent *[]string) {
	sent = &[]string{}
	address := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	return newWire(address, address, func(datagram []byte) error {
		*sent = append(*sent, string(datagram))
		return nil
	}), sent
}

func write(t *testing.T, w *wire, text string) {
	t.Helper()
	if n, err := w.WriteTo([]byte(text), nil); n != len(text) || err != nil {
		t.Fatalf("write: %d, %v", n, err)
	}
}

func TestTheWireKeepsTheLastFlightAndTheCloseNotify(t *testing.T) {
	w, sent := testWire()
	buffer := make([]byte, 10)
	for _, text := range []string{"one", "two"} {
		w.deliver([]byte("hello"))
		if n, from, err := w.ReadFrom(buffer); n != 5 || from != w.remote || err != nil {
			t.Fatalf("read: %d from %s, %v", n, from, err)
		}
		write(t, w, text+"a")
		write(t, w, text+"b")
	}
	if err := w.sendCloseNotify(); err != nil || len(*sent) != 4 {
		t.Errorf("a close_notify before the handshake: %v, sent %v", err, *sent)
	}
	w.mute()
	closeNotifyRecord := string(rune(recordAlert)) + "encrypted alert"
	write(t, w, closeNotifyRecord)
	write(t, w, "\x16a flight repeated late")
	if len(*sent) != 4 {
		t.Errorf("a muted wire sends: %v", *sent)
	}
	*sent = nil
	if err := errors.Join(w.repeat(), w.sendCloseNotify()); err != nil {
		t.Fatal(err)
	}
	if len(*sent) != 3 || (*sent)[0] != "twoa" || (*sent)[1] != "twob" || (*sent)[2] != closeNotifyRecord {
		t.Errorf("sent %v", *sent)
	}
}

func TestTheWireEndsReadsByDeadlineAndClose(t *testing.T) {
	w, _ := testWire()
	if err := w.SetDeadline(time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.ReadFrom(nil); err == nil {
		t.Errorf("a read beyond the deadline: %v", err)
	}
	if err := w.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		_, _, err := w.ReadFrom(nil)
		ended <- err
	}()
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("a read of a closed wire: %v", err)
	}
	for range 2 * wireQueue {
		w.deliver([]byte("flood")) // must not block
	}
}

func TestClosingAMutedWireWaitsForTheCloseNotify(t *testing.T) {
	w, sent := testWire()
	w.mute()
	ended := make(chan error)
	go func() { ended <- w.Close() }() // as the library's reader does, before the close_notify is written
	time.Sleep(20 * time.Millisecond)
	select {
	case <-w.closed:
		t.Error("closed before the close_notify was written")
	default:
	}
	write(t, w, string(rune(recordAlert))+"goodbye")
	if err := errors.Join(<-ended, w.sendCloseNotify()); err != nil || len(*sent) != 1 {
		t.Errorf("%v, sent %v", err, *sent)
	}
}
