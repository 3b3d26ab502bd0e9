package fanout

import (
	"encoding/binary"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/lab/truth"
	"fullhouse/agent/internal/media"
)

const (
	rtpHeaderBytes = 12
	markerBit      = 0x80
	extensionBit   = 0x10
	// oneByteProfile says that header extensions have a header of one byte (RFC 8285 4.2).
	oneByteProfile = 0xbede
	extensionBytes = 8 // profile, length, one element of two bytes, padding
)

// parcel is a packet on its way to a viewer.
type parcel struct {
	viewer    *Viewer
	position  uint64
	sentAt    int64  // on the stream's clock
	transport uint16 // its transport-wide sequence number
	sequence  uint16 // among the repairs
	repair    bool
	reordered bool
}

// sendPacket puts a packet on its way, which may be short, long, or nowhere. The stream's mutex is held.
func (l *Loop) sendPacket(v *Viewer, position uint64, now int64, repair bool) {
	s := v.Stream
	p := &s.ring[position%ringSize]
	if v.PayloadType[p.kind] == 0 {
		return
	}
	if s.stalled && !repair {
		v.skip(p.entry(position), now)
		return
	}
	out := parcel{viewer: v, position: position, sentAt: now, repair: repair}
	if v.TransportExtension[p.kind] != 0 {
		out.transport = v.transportSequence
		v.transportSequence++
	}
	if repair && p.kind == media.Video && v.RepairType != 0 {
		out.sequence = v.repairSequence
		v.repairSequence++
	} else {
		v.packets[p.kind]++
		v.octets[p.kind] += uint32(len(p.payload))
	}
	way := s.way.Load()
	if !way.measured {
		l.transmit(&out, p)
		return
	}
	v.keepTruth()
	switch {
	case !way.clear || v.queued > 0:
		l.sendOverBadWay(&out, p, &way.conditions)
	case repair:
		l.transmit(&out, p)
		v.ledger.CameAgain(p.entry(position), now)
	default:
		l.transmit(&out, p)
		v.ledger.Passed(p.entry(position), now)
	}
}

// skip leaves a packet out. A ceiling is a condition, so the truth of the stream is kept.
func (v *Viewer) skip(entry truth.Packet, now int64) {
	v.keepTruth()
	v.ledger.Sent(entry, now)
	v.ledger.Lost(entry.Position, now, false)
}

func (v *Viewer) keepTruth() {
	if v.ledger == nil {
		v.ledger = &truth.Ledger{}
	}
}

// sendOverBadWay lets the conditions decide. Whatever is held back, those behind it queue up.
func (l *Loop) sendOverBadWay(out *parcel, p *packet, c *conditions.Conditions) {
	v := out.viewer
	if v.path == nil {
		v.path = conditions.NewPath(c.Seed, v.number)
	}
	entry, now := p.entry(out.position), l.clock()
	if !out.repair {
		v.ledger.Sent(entry, out.sentAt)
	}
	fate := v.path.Next(c, now, out.repair)
	if !fate.Lost && fate.At <= now && v.queued == 0 {
		l.transmit(out, p)
		l.arrived(out, entry, out.sentAt)
		return
	}
	out.reordered = fate.Reordered
	if fate.Lost || !l.held.add(now, fate.At, *out) {
		if !out.repair {
			v.ledger.Lost(out.position, out.sentAt, v.Repairs[p.kind] && !c.NoRepair)
		}
		return
	}
	if !out.reordered {
		v.queued++
	}
}

func (l *Loop) arrived(out *parcel, entry truth.Packet, at int64) {
	if out.repair {
		out.viewer.ledger.CameAgain(entry, at)
	} else {
		out.viewer.ledger.Came(entry, out.sentAt, at)
	}
}

// release sends what was held back long enough.
func (l *Loop) release() {
	now := l.clock()
	for batch := l.held.take(now); batch != nil; batch = l.held.take(now) {
		for i := range batch {
			l.releaseOne(&batch[i], now)
			batch[i].viewer = nil
		}
	}
}

func (l *Loop) releaseOne(out *parcel, now int64) {
	v := out.viewer
	if !v.present {
		return
	}
	s := v.Stream
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at := s.clock()
	if rest := s.pausedUntil.Load() - at; rest > 0 && l.held.add(now, now+rest, *out) {
		return
	}
	if !out.reordered {
		v.queued--
	}
	p := &s.ring[out.position%ringSize]
	entry := p.entry(out.position)
	if out.position < s.tail { // its place was taken meanwhile, by a stream of more packets than are kept
		v.ledger.Lost(out.position, at, false)
		return
	}
	l.transmit(out, p)
	l.arrived(out, entry, at)
}

// entry is how the truth knows the packet.
func (p *packet) entry(position uint64) truth.Packet {
	return truth.Packet{Kind: p.kind, Position: position, Timestamp: p.timestamp, Marker: p.marker, Keyframe: p.keyframe}
}

// transmit writes and encrypts the packet. The transport-wide number is the viewer's own, so headers are not shared. A repair for a viewer
// that knows RTX is a packet of another stream, with the first number before its payload (RFC 4588 4).
func (l *Loop) transmit(out *parcel, p *packet) {
	v := out.viewer
	buffer := l.batch.Buffer()
	payloadType, sequence, ssrc := v.PayloadType[p.kind], p.sequence, v.Stream.SSRC[p.kind]
	again := out.repair && p.kind == media.Video && v.RepairType != 0
	if again {
		payloadType, sequence, ssrc = v.RepairType, out.sequence, v.Stream.RepairSSRC
	}
	buffer[0], buffer[1] = 2<<6, payloadType
	if p.marker {
		buffer[1] |= markerBit
	}
	binary.BigEndian.PutUint16(buffer[2:], sequence)
	binary.BigEndian.PutUint32(buffer[4:], p.timestamp)
	binary.BigEndian.PutUint32(buffer[8:], ssrc)
	size := rtpHeaderBytes
	if id := v.TransportExtension[p.kind]; id != 0 {
		buffer[0] |= extensionBit
		binary.BigEndian.PutUint16(buffer[size:], oneByteProfile)
		binary.BigEndian.PutUint16(buffer[size+2:], 1)
		buffer[size+4], buffer[size+7] = id<<4|1, 0
		binary.BigEndian.PutUint16(buffer[size+5:], out.transport)
		size += extensionBytes
	}
	if again {
		binary.BigEndian.PutUint16(buffer[size:], p.sequence)
		size += 2
	}
	size += copy(buffer[size:], p.payload)
	sealed, err := v.Keys.EncryptRTP(buffer, buffer[:size], &l.header)
	if err != nil {
		l.sealErrors++
		return
	}
	l.batch.Add(len(sealed), v.To.Load())
}
