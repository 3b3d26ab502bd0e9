package turnload

import (
	"net/netip"
	"time"

	"fullhouse/agent/internal/viewer"
)

const (
	echoIntervalNs = int64(time.Second)
	// clockError is how far the kernel's arrival times may differ from our clock.
	clockError = int64(time.Millisecond)
)

// receiving is a viewer as the handler of its first allocation.
type receiving Viewer

// Datagram counts a packet. Once a second one is sent back, which measures the round trip.
func (r *receiving) Datagram(packet []byte, from netip.AddrPort, at int64) {
	v := (*Viewer)(r)
	kind, sequence, sentAt, ok := readPacket(packet)
	if !ok || kind != data {
		return
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if !v.isOurs(sequence, sentAt, at) {
		return
	}
	if v.firstPacketAt == 0 {
		v.firstPacketAt = at
	} else {
		v.longestGapNs = max(v.longestGapNs, at-v.lastPacketAt)
	}
	v.lastPacketAt = at
	v.packets++
	v.bytes += uint64(len(packet))
	v.highest = max(v.highest, sequence)
	transit := at - sentAt
	if v.packets > 1 { // RFC 3550, 6.4.1
		difference := transit - v.lastTransit
		v.jitterNs += (float64(max(difference, -difference)) - v.jitterNs) / 16
	}
	v.lastTransit = transit
	if at >= v.echoDueAt && v.receiver != nil && !v.disconnecting {
		v.echoDueAt = at + echoIntervalNs
		var buffer [headerSize]byte
		_ = v.receiver.SendTo(appendPacket(buffer[:], echo, sequence, sentAt), from) // the next one follows
	}
}

// Overflow records loss that this machine caused.
func (r *receiving) Overflow(total uint32) { (*Viewer)(r).overflow(0, total) }

// SocketError is left to the timeouts.
func (r *receiving) SocketError(error) {}

// sending is a viewer as the handler of its second allocation.
type sending Viewer

// Datagram takes an echo.
func (s *sending) Datagram(packet []byte, _ netip.AddrPort, at int64) {
	v := (*Viewer)(s)
	kind, sequence, sentAt, ok := readPacket(packet)
	if !ok || kind != echo {
		return
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.isOurs(sequence, sentAt, at) {
		v.roundTripNs = max(at-sentAt, 1)
	}
}

// isOurs reports whether the viewer may have sent a packet: a server could make up any. The caller holds the mutex.
func (v *Viewer) isOurs(sequence uint32, sentAt, at int64) bool {
	return sequence < v.sent && sentAt >= v.sentFrom && sentAt <= at+clockError
}

// Overflow records loss that this machine caused.
func (s *sending) Overflow(total uint32) { (*Viewer)(s).overflow(1, total) }

// SocketError is left to the timeouts.
func (s *sending) SocketError(error) {}

func (v *Viewer) overflow(of int, total uint32) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.overflowed[of] = total
}

// Read returns the current figures.
func (v *Viewer) Read(now time.Time) viewer.Reading {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.read(now.UnixNano())
}

// ReadInterval is Read, and the longest gap between packets that ended since the last call.
func (v *Viewer) ReadInterval(now time.Time) (viewer.Reading, int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	longest := v.longestGapNs
	v.longestGapNs = 0
	return v.read(now.UnixNano()), longest
}

func (v *Viewer) read(at int64) viewer.Reading {
	reading := viewer.Reading{FirstPacketAt: v.firstPacketAt, Packets: v.packets, Bytes: v.bytes, RoundTripNs: v.roundTripNs,
		JitterMs: v.jitterNs / 1e6, HasJitter: v.packets > 1, Overflowed: uint64(v.overflowed[0]) + uint64(v.overflowed[1]), Failure: v.failure}
	if v.packets > 0 {
		reading.Expected = uint64(v.highest) + 1
		reading.Lost = reading.Expected - min(v.packets, reading.Expected)
		reading.GapNs = max(0, at-v.lastPacketAt)
	}
	if v.receiver != nil {
		reading.AllocationNs = int64(v.receiver.Took())
	}
	return reading
}

// Times are those of the allocation and of the first packet.
func (v *Viewer) Times() viewer.Times {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.times()
}

func (v *Viewer) times() viewer.Times {
	return viewer.Times{Relay: v.allocatedAt, FirstPacket: v.firstPacketAt}
}

// Detail has the allocation and the relayed addresses.
func (v *Viewer) Detail() viewer.Detail {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	detail := viewer.Detail{Times: v.times()}
	if v.sender != nil {
		server := v.sender.Server()
		detail.Route = viewer.Route{Protocol: string(server.Transport), Local: v.receiver.Relayed(), LocalType: "relay",
			Remote: v.sender.Relayed(), RemoteType: "relay", Relay: server.String()}
	}
	return detail
}
