package whep

import (
	"encoding/binary"
	"net/netip"
	"sync"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
)

const (
	// alwaysDecrypted is how many of a stream's first packets are decrypted, so that wrong keys are noticed.
	alwaysDecrypted = 4
	// sampledEvery is how many packets go by until one is decrypted again, at another place for each viewer.
	sampledEvery = 512
	// mostDamaged is how many packets in a row may fail to decrypt before the stream counts as broken.
	mostDamaged = 20
	// mostEarly is how many packets are kept that arrive before the keys are made.
	mostEarly       = 64
	repairInterval  = 60e6
	mostPerRequest  = 64
	repairPause     = 10e6 // reordering that mends itself needs no request
	decryptedBuffer = 2048
)

// scratch are buffers for decrypted packets, shared by all viewers.
var scratch = sync.Pool{New: func() any { return new([decryptedBuffer]byte) }}

// Datagram sorts what arrives at the viewer's socket (RFC 7983).
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
		v.record(data, at)
	case kind >= 128 && kind <= 191 && len(data) >= rtp.HeaderSize:
		switch {
		case v.inbound == nil:
			if v.pipe != nil && len(v.early) < mostEarly {
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

// record takes DTLS records.
func (v *Viewer) record(data []byte, at int64) {
	switch {
	case v.pipe != nil:
		v.pipe.Deliver(data)
	case v.inbound != nil:
		if end, ended := v.afterwards.Record(data, at, v.socket.Send); ended && !v.leaving {
			v.fail(failure.New(failure.Media, end.Cause, "The server ended the session with a DTLS alert (%s) %s after it was set up.", end.Reason(), since(v.establishedAt)))
		}
	}
}

// SocketError notes what the network said; a time-out's sentence will tell.
func (v *Viewer) SocketError(err error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.ice.NetworkError(err)
}

// Overflow notes that this machine, not the server or the way, lost packets.
func (v *Viewer) Overflow(total uint32) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.overflowed = uint64(total)
}

// media counts an RTP packet.
func (v *Viewer) media(data []byte, at int64) {
	header := rtp.ReadHeader(data)
	var stream *mediaStream
	switch header.PayloadType {
	case v.video.payloadType:
		stream = &v.video
	case v.audio.payloadType:
		stream = &v.audio
	default:
		v.unknown++
		return
	}
	isVideo := stream == &v.video
	changed := stream.ssrc != header.SSRC && stream.Packets > 0
	packet := stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at}
	v.untilSample--
	if changed || stream.Packets < alwaysDecrypted || v.untilSample <= 0 || isVideo && (v.frames.FirstAt == 0 || !stream.InOrder(header.Sequence)) {
		if v.untilSample <= 0 {
			v.untilSample = sampledEvery
		}
		rollover := uint32(0)
		if !changed {
			rollover = stream.Rollover(header.Sequence)
		}
		if !v.examine(data, header, rollover, isVideo, &packet) {
			return
		}
	}
	if changed {
		stream.NewSource()
	}
	stream.ssrc = header.SSRC
	hadGap := stream.Gap()
	stream.Receive(packet)
	v.lastPacketAt = at
	if v.firstPacketAt == 0 {
		v.firstPacketAt = at
	}
	if isVideo && stream.Packets == 1 && !packet.Keyframe && v.answer.Video.PLI {
		v.sendRTCP(feedback.AppendPLI(nil, v.ssrc, stream.ssrc)) // joined in the middle: don't wait for the next second
	}
	if !hadGap && stream.Gap() && !v.queued {
		v.queued = true
		stream.askedAt = at + repairPause - repairInterval
		v.crowd.repair(v)
	}
}

// examine decrypts a packet and looks into it; false when it is not authentic.
func (v *Viewer) examine(data []byte, header rtp.Header, rollover uint32, isVideo bool, packet *stats.Packet) bool {
	buffer := scratch.Get().(*[decryptedBuffer]byte)
	defer scratch.Put(buffer)
	v.inbound.SetROC(header.SSRC, rollover)
	plain, err := v.inbound.DecryptRTP(buffer[:0], data, nil)
	if err != nil {
		v.damaged++
		v.damagedInRow++
		if v.damagedInRow == mostDamaged && v.firstPacketAt != 0 {
			v.fail(failure.New(failure.Media, "undecryptable", "%d packets in a row could not be decrypted with the session's keys: %v.", mostDamaged, err))
		}
		return false
	}
	v.damagedInRow = 0
	if isVideo {
		packet.StartsFrame, packet.Keyframe = rtp.InspectH264(rtp.Payload(plain))
	}
	return true
}

// control reads the server's RTCP.
func (v *Viewer) control(data []byte, at int64) {
	buffer := scratch.Get().(*[decryptedBuffer]byte)
	defer scratch.Put(buffer)
	plain, err := v.inbound.DecryptRTCP(buffer[:0], data, nil)
	if err != nil {
		v.damaged++
		return
	}
	feedback.Compound(plain, func(kind byte, packet []byte) {
		switch {
		case kind == feedback.SenderReportType && len(packet) >= 16:
			report := feedback.SenderReport{MiddleNTP: binary.BigEndian.Uint32(packet[10:]), At: at}
			if ssrc := binary.BigEndian.Uint32(packet[4:]); ssrc == v.video.ssrc {
				v.video.report = report
			} else if ssrc == v.audio.ssrc {
				v.audio.report = report
			}
		case kind == feedback.GoodbyeType && !v.leaving:
			v.fail(failure.New(failure.Media, "goodbye", "The server said goodbye (RTCP BYE) %s after the session was set up.", since(v.establishedAt)))
		}
	})
}

// Repair asks for missing packets and gives up those that are overdue; false when there is nothing left to do.
func (v *Viewer) Repair(now int64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.outbound == nil {
		v.queued = false
		return false
	}
	v.video.Expire(now)
	v.audio.Expire(now)
	if v.answer.Video.NACK && v.video.Gap() && now-v.video.askedAt >= repairInterval {
		v.video.askedAt = now
		var list [mostPerRequest]uint16
		v.sendRTCP(feedback.AppendNACK(nil, v.ssrc, v.video.ssrc, v.video.Missing(list[:0], mostPerRequest)))
	}
	v.queued = v.video.Gap() || v.audio.Gap()
	return v.queued
}

// receiverReport is a compound packet. Only the regular report ends the interval of its loss figure: requests for
// repair are sent alone (RFC 5506), or the server would see short intervals of nothing but loss.
func (v *Viewer) receiverReport(now int64) []byte {
	b := make([]byte, 0, 256)
	var blocks byte
	for _, stream := range []*mediaStream{&v.video, &v.audio} {
		if stream.Packets > 0 {
			blocks++
		}
	}
	b = feedback.AppendHeader(b, blocks, feedback.ReceiverReportType, 1+6*int(blocks), v.ssrc)
	for _, stream := range []*mediaStream{&v.video, &v.audio} {
		if stream.Packets > 0 {
			b = feedback.AppendBlock(b, stream.ssrc, stream.Report(), stream.report, now)
		}
	}
	return feedback.AppendDescription(b, v.ssrc, v.ice.LocalUfrag)
}

func (v *Viewer) sendRTCP(packet []byte) {
	encrypted, err := v.outbound.EncryptRTCP(nil, packet, nil)
	if err == nil {
		err = v.socket.Send(encrypted)
	}
	v.ice.NoteSend(err)
}
