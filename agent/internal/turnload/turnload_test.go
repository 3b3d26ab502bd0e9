package turnload

import (
	"bytes"
	"net/netip"
	"testing"
)

func TestPackets(t *testing.T) {
	packet := appendPacket(make([]byte, packetSize), echo, 7, 1<<40)
	if kind, sequence, sentAt, ok := readPacket(packet); !ok || kind != echo || sequence != 7 || sentAt != 1<<40 {
		t.Errorf("%d, %d, %d, %v", kind, sequence, sentAt, ok)
	}
	for _, bad := range [][]byte{nil, packet[:headerSize-1], bytes.Repeat([]byte{0}, packetSize)} {
		if _, _, _, ok := readPacket(bad); ok {
			t.Errorf("%x is accepted", bad)
		}
	}
}

// FuzzPacket receives anything as a viewer with one packet.
func FuzzPacket(f *testing.F) {
	f.Add(appendPacket(make([]byte, headerSize), data, 3, 100))
	f.Add(appendPacket(make([]byte, headerSize), echo, 3, 100))
	f.Fuzz(func(t *testing.T, packet []byte) {
		v := &Viewer{firstPacketAt: 50, lastPacketAt: 50, packets: 1, sentFrom: 10, sent: 5}
		(*receiving)(v).Datagram(packet, netip.AddrPort{}, 200)
		(*sending)(v).Datagram(packet, netip.AddrPort{}, 200)
		reading := v.read(300)
		if reading.Packets > 2 || reading.Expected > 5 || reading.RoundTripNs > 190 || reading.Lost > reading.Expected || reading.RoundTripNs < 0 {
			t.Errorf("%+v", reading)
		}
	})
}
