package whep

import (
	"encoding/binary"
	"net/netip"
	"sync"

	"github.com/pion/rtcp"
	pion "github.com/pion/rtp"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
)

const (
	// firstDecrypted is how many of a stream's first packets are decrypted, so that wrong keys are noticed.
	firstDecrypted = 4
	// maxDamaged is how many packets in a row may fail to decrypt before the stream counts as broken.
	maxDamaged = 20
	// maxEarly is how many packets are kept that arrive before the keys are derived.
	maxEarly = 64
)

// buffers are for one packet in or out.
type buffers struct {
	plain, encrypted [2048]byte
	header           rtcp.Header
	mediaHeader      pion.Header
}

// scratch is shared by all viewers.
var scratch = sync.Pool{New: func() any { return new(buffers) }}

// Datagram dispatches what arrives at the viewer's socket (RFC 7983).
func (v *Viewer) Datagram(data []byte, from netip.AddrPort, at int64) {
	if len(data) == 0 {
		return
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	switch kind := data[0]; {
	case kind <= 3:
		v.ice.Message(data, from, at)
	case kind >= 20 && kind <= 63:
		v.record(data, from, at)
	case kind >= 128 && kind <= 191 && len(data) >= rtp.HeaderSize:
		switch {
		case v.inbound == nil:
			if v.pipe != nil && len(v.early) < maxEarly {
				v.early = append(v.early, earlyPacket{append([]byte(nil), data...), at})
			}
		case rtp.IsRTCP(data):
			v.control(data, at)
		default:
			v.media(data, at)
		}
	}
}

type earlyPacket struct {
	data []byte
	at   int64
}

// record handles DTLS records.
func (v *Viewer) record(data []byte, from netip.AddrPort, at int64) {
	switch {
	case v.ice.Controlled && from != v.ice.Selected:
		// The socket receives from all addresses; only the selected peer counts.
	case v.pipe != nil:
		v.pipe.Deliver(data)
	case v.inbound != nil:
		if end, ended := v.postHandshake.Record(data, at, v.socket.Send); ended && !v.disconnecting {
			v.fail(failure.New(failure.Media, end.Cause, "The server ended the session with a DTLS alert (%s) %s after it was set up.", end.Reason(), failure.Since(v.establishedAt)))
		}
	}
}

// SocketError records an error that the network reported, for the sentence of a timeout.
func (v *Viewer) SocketError(err error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.ice.NetworkError(err)
}

// Overflow records loss that this machine caused, rather than the server or the network.
func (v *Viewer) Overflow(total uint32) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.overflowed = uint64(total)
}

// media counts an RTP packet.
func (v *Viewer) media(data []byte, at int64) {
	if v.transportCC != nil {
		v.recordArrival(data, at)
	}
	if v.room != nil {
		v.roomPacket(data, at)
		return
	}
	header := rtp.ReadHeader(data)
	var stream *mediaStream
	switch header.PayloadType {
	case v.video.payloadType:
		stream = &v.video
	case v.audio.payloadType:
		stream = &v.audio
	default:
		if stream = v.adopt(header.PayloadType); stream == nil {
			v.other(data, header, at)
			return
		}
	}
	isVideo := stream == &v.video
	if isVideo && v.audioOnly && !v.group.AudioOnly {
		v.foundVideo()
	}
	changed := stream.ssrc != header.SSRC && stream.Packets > 0
	packet := stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at}
	if v.audioOnly {
		packet.StartsFrame, packet.Keyframe, packet.Marker = true, true, true
	}
	layerDue := isVideo && v.layers != nil && v.layers.due(header.Timestamp, header.Marker)
	if layerDue || v.sampler.due() || v.damagedInRow > 0 || changed || stream.Packets < firstDecrypted || isVideo && (v.frames.FirstAt == 0 || !stream.InOrder(header.Sequence)) {
		rollover := uint32(0)
		if !changed {
			rollover = stream.Rollover(header.Sequence)
		}
		b := scratch.Get().(*buffers)
		payload, authentic := v.decrypt(b, data, header.SSRC, rollover)
		if isVideo {
			v.inspect(payload, &packet)
		}
		scratch.Put(b)
		if !authentic {
			return
		}
	}
	if changed {
		stream.NewSource()
		stream.clock = stats.SenderClock{}
	}
	stream.ssrc = header.SSRC
	if v.captureTime != 0 {
		stream.readCapture(data, v.captureTime, header.Timestamp, at)
	}
	hadGap := stream.Gap()
	if isVideo {
		stream.receive(packet, &v.requests)
	} else {
		stream.Receive(packet)
	}
	v.lastPacketAt = at
	if v.firstPacketAt == 0 {
		v.firstPacketAt = at
	}
	if isVideo && stream.Packets == 1 && !packet.Keyframe && v.answer.Video.PLI {
		v.requestKeyframe() // joined within a group of pictures: don't wait for the next second
	}
	if !hadGap && stream.Gap() && !v.queued {
		v.queued = true
		v.group.repair(v)
	}
}

// inspect reads from a payload of the video what the statistics need, and the picture's size where it has one.
func (v *Viewer) inspect(payload []byte, packet *stats.Packet) {
	p := v.answer.Video.Codec.Inspect(payload)
	packet.StartsFrame, packet.Keyframe = p.StartsFrame, p.Keyframe
	if p.Layers > 0 {
		v.size = p.Sizes[p.Layers-1]
	}
	if v.layers != nil {
		v.layers.inspect(&p, packet)
	}
}

// decrypt checks and decrypts a packet; the payload is in b.
func (v *Viewer) decrypt(b *buffers, data []byte, ssrc, rollover uint32) (payload []byte, authentic bool) {
	v.inbound.SetROC(ssrc, rollover)
	plain, err := v.inbound.DecryptRTP(b.plain[:0], data, &b.mediaHeader)
	if err != nil {
		v.damaged++
		v.damagedInRow++
		if v.damagedInRow == maxDamaged && v.firstPacketAt != 0 {
			v.fail(failure.New(failure.Media, protocol.CauseUndecryptable, "%d packets in a row could not be decrypted with the session's keys: %v.", maxDamaged, err))
		}
		return nil, false
	}
	v.damagedInRow = 0
	return rtp.Payload(plain), true
}

// control handles the server's RTCP.
func (v *Viewer) control(data []byte, at int64) {
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	plain, err := v.inbound.DecryptRTCP(b.plain[:0], data, nil)
	if err != nil {
		v.damaged++
		return
	}
	feedback.Compound(plain, func(kind byte, packet []byte) {
		switch {
		case kind == feedback.SenderReportType && len(packet) >= feedback.SenderInfoEnd:
			if stream := v.streamOf(binary.BigEndian.Uint32(packet[4:])); stream != nil {
				stream.takeReport(packet, at)
			}
			if v.room != nil {
				v.sentFeedback(kind, packet, at)
			}
		case v.room != nil && kind != feedback.ByeType:
			v.sentFeedback(kind, packet, at)
		case kind == feedback.ByeType && v.room == nil && !v.disconnecting:
			v.fail(failure.New(failure.Media, protocol.CauseRTCPBye, "The server ended the stream (RTCP BYE) %s after the session was set up.", failure.Since(v.establishedAt)))
		}
	})
}
