package udp

import (
	"net"
	"net/netip"
	"testing"
	"time"
)

func TestABatchReachesEveryAddressAndSkipsABadOne(t *testing.T) {
	for i, host := range []string{"127.0.0.1:0", "[::1]:0"} {
		socket, err := Listen(netip.MustParseAddrPort(host))
		if err != nil && i == 0 {
			t.Fatal(err)
		}
		if err != nil {
			t.Logf("%s is skipped, this machine does not have it: %v", host, err)
			continue
		}
		defer socket.Close()
		batch, err := NewBatch(socket)
		if err != nil {
			t.Fatal(err)
		}
		const receivers, each = 3, 50 // more than one batch
		var sockets []*net.UDPConn
		var destinations []*Destination
		for range receivers {
			receiver, err := Listen(netip.MustParseAddrPort(host))
			if err != nil {
				t.Fatal(err)
			}
			defer receiver.Close()
			sockets = append(sockets, receiver)
			destinations = append(destinations, NewDestination(receiver.LocalAddr().(*net.UDPAddr).AddrPort()))
		}
		nowhere := NewDestination(netip.AddrPortFrom(netip.MustParseAddrPort(host).Addr(), 0)) // port 0 is refused by the system
		for i := range each {
			for r, destination := range destinations {
				batch.Add(copy(batch.Buffer(), []byte{byte(r), byte(i)}), destination)
			}
			if i == 10 {
				batch.Add(1, nowhere)
			}
		}
		batch.Flush()
		if totals := batch.Totals(); totals != (Totals{Packets: receivers * each, Bytes: 2 * receivers * each, Errors: 1}) {
			t.Errorf("%s: totals %+v", host, totals)
		}
		buffer := make([]byte, 10)
		for r, receiver := range sockets {
			if err := receiver.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			for i := range each {
				n, err := receiver.Read(buffer)
				if err != nil || n != 2 || buffer[0] != byte(r) || buffer[1] != byte(i) {
					t.Fatalf("%s: receiver %d, datagram %d: % x, %v", host, r, i, buffer[:n], err)
				}
			}
		}
	}
}
