package fanout

import (
	"encoding/binary"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/lab/groundtruth"
	"fullhouse/agent/internal/media"
)

const (
	rtpHeaderBytes = 12
	markerBit      = 0x80
	extensionBit   = 0x10
	// oneByteProfile marks header extensions with a one-byte header (RFC 8285 4.2).
	oneByteProfile = 0xbede
	extensionBytes = 8 // profile, length, one element of two bytes, padding
)

// delayedPacket is a delayed packet for a viewer.
type delayedPacket struct {
	viewer    *Viewer
	position  uint64
	sentAt    int64  // on the stream's clock
	transport uint16 // its transport-wide sequence number
	sequence  uint16 // of the repairs
	repair    bool
	reordered bool
}

// sendPacket sends a packet along the path, which may be short, long, or lose it. The stream's mutex is held.
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
	out := delayedPacket{viewer: v, position: position, sentAt: now, repair: repair}
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
	pathState := s.pathState.Load()
	if !pathState.measured {
		l.transmit(&out, p)
		return
	}
	v.recordTruth()
	switch {
	case !pathState.clear || v.queued > 0:
		l.sendWithConditions(&out, p, &pathState.conditions)
	case repair:
		l.transmit(&out, p)
		v.groundTruth.ArrivedAsRepair(p.entry(position), now)
	default:
		l.transmit(&out, p)
		v.groundTruth.Delivered(p.entry(position), now)
	}
}

// skip leaves a packet out. A ceiling is a condition, so the ground truth of the stream is recorded.
func (v *Viewer) skip(entry groundtruth.Packet, now int64) {
	v.recordTruth()
	v.groundTruth.Sent(entry, now)
	v.groundTruth.Lost(entry.Position, now, false)
}

func (v *Viewer) recordTruth() {
	if v.groundTruth == nil {
		v.groundTruth = &groundtruth.Counter{}
	}
}

// sendWithConditions applies the conditions. Behind a held packet, later ones queue up.
func (l *Loop) sendWithConditions(out *delayedPacket, p *packet, c *conditions.Conditions) {
	v := out.viewer
	if v.path == nil {
		v.path = conditions.NewPath(c.Seed, v.number)
	}
	entry, now := p.entry(out.position), l.clock()
	if !out.repair {
		v.groundTruth.Sent(entry, out.sentAt)
	}
	fate := v.path.Next(c, now, out.repair)
	if !fate.Lost && fate.At <= now && v.queued == 0 {
		l.transmit(out, p)
		l.arrived(out, entry, out.sentAt)
		return
	}
	out.reordered = fate.Reordered
	if fate.Lost || !l.held.Add(now, fate.At, *out) {
		if !out.repair {
			v.groundTruth.Lost(out.position, out.sentAt, v.Repairs[p.kind] && !c.NoRepair)
		}
		return
	}
	if !out.reordered {
		v.queued++
	}
}

func (l *Loop) arrived(out *delayedPacket, entry groundtruth.Packet, at int64) {
	if out.repair {
		out.viewer.groundTruth.ArrivedAsRepair(entry, at)
	} else {
		out.viewer.groundTruth.Arrived(entry, out.sentAt, at)
	}
}

// release sends the held packets that are due.
func (l *Loop) release() {
	now := l.clock()
	for batch := l.held.Take(now); batch != nil; batch = l.held.Take(now) {
		for i := range batch {
			l.releaseOne(&batch[i], now)
			batch[i].viewer = nil
		}
	}
}

func (l *Loop) releaseOne(out *delayedPacket, now int64) {
	v := out.viewer
	if !v.present {
		return
	}
	s := v.Stream
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at := s.clock()
	if rest := s.pausedUntil.Load() - at; rest > 0 && l.held.Add(now, now+rest, *out) {
		return
	}
	if !out.reordered {
		v.queued--
	}
	p := &s.ring[out.position%ringSize]
	entry := p.entry(out.position)
	if out.position < s.tail { // overwritten meanwhile, by a stream of more packets than are kept
		v.groundTruth.Lost(out.position, at, false)
		return
	}
	l.transmit(out, p)
	l.arrived(out, entry, at)
}

// entry is the packet as the ground truth records it.
func (p *packet) entry(position uint64) groundtruth.Packet {
	return groundtruth.Packet{Kind: p.kind, Position: position, Timestamp: p.timestamp, Marker: p.marker, Keyframe: p.keyframe}
}

// transmit writes and encrypts the packet. The transport-wide number is the viewer's own, so headers are not shared. A
// repair for a viewer that supports RTX is a packet of another stream, with the original number before its payload (RFC
// 4588 4).
func (l *Loop) transmit(out *delayedPacket, p *packet) {
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
