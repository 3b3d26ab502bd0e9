package whep

import (
	"encoding/binary"
	"net/netip"
	"sync"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/stats"
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
		v.ice.message(data, from, at)
	case kind >= 20 && kind <= 63:
		v.record(data)
	case kind >= 128 && kind <= 191 && len(data) >= rtpHeaderSize:
		switch {
		case v.inbound == nil:
			if v.pipe != nil && len(v.early) < mostEarly {
				v.early = append(v.early, earlyPacket{append([]byte(nil), data...), at})
			}
		case isRTCP(data):
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

// record takes a DTLS record. After the handshake only an alert matters, known by its type without keys.
func (v *Viewer) record(data []byte) {
	switch {
	case v.pipe != nil:
		v.pipe.deliver(data)
	case v.inbound != nil && data[0] == recordAlert && !v.leaving:
		v.fail(failure.New(failure.Media, "alert", "The server ended the session with a DTLS alert %s after it was set up.", since(v.establishedAt)))
	}
}

// SocketError notes what the network said; a time-out's sentence will tell.
func (v *Viewer) SocketError(err error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.ice.refusal = "the network answered: " + err.Error()
	v.ice.refused = isRefused(err)
}

// Overflow notes that this machine, not the server or the way, lost packets.
func (v *Viewer) Overflow(total uint32) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.overflowed = uint64(total)
}

// media counts an RTP packet.
func (v *Viewer) media(data []byte, at int64) {
	header := readRTPHeader(data)
	var stream *mediaStream
	switch header.payloadType {
	case v.answer.video.payloadType:
		stream = &v.video
	case v.answer.audio.payloadType:
		stream = &v.audio
	default:
		v.unknown++
		return
	}
	isVideo := stream == &v.video
	changed := stream.ssrc != header.ssrc && stream.Packets > 0
	packet := stats.Packet{Sequence: header.sequence, Timestamp: header.timestamp, Marker: header.marker, Bytes: len(data), At: at}
	v.untilSample--
	if changed || stream.Packets < alwaysDecrypted || v.untilSample <= 0 || isVideo && (v.frames.FirstAt == 0 || !stream.InOrder(header.sequence)) {
		if v.untilSample <= 0 {
			v.untilSample = sampledEvery
		}
		rollover := uint32(0)
		if !changed {
			rollover = stream.Rollover(header.sequence)
		}
		if !v.examine(data, header, rollover, isVideo, &packet) {
			return
		}
	}
	if changed {
		stream.NewSource()
	}
	stream.ssrc = header.ssrc
	hadGap := stream.Gap()
	stream.Receive(packet)
	v.lastPacketAt = at
	if v.firstPacketAt == 0 {
		v.firstPacketAt = at
	}
	if isVideo && stream.Packets == 1 && !packet.Keyframe && v.answer.video.pli {
		v.sendRTCP(appendPLI(nil, v.ssrc, stream.ssrc)) // joined in the middle: don't wait for the next second
	}
	if !hadGap && stream.Gap() && !v.queued {
		v.queued = true
		stream.askedAt = at + repairPause - repairInterval
		v.config.Repairs.add(v)
	}
}

// examine decrypts a packet and looks into it; false when it is not authentic.
func (v *Viewer) examine(data []byte, header rtpHeader, rollover uint32, isVideo bool, packet *stats.Packet) bool {
	buffer := scratch.Get().(*[decryptedBuffer]byte)
	defer scratch.Put(buffer)
	v.inbound.SetROC(header.ssrc, rollover)
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
		packet.StartsFrame, packet.Keyframe = inspectH264(rtpPayload(plain))
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
	compound(plain, func(kind byte, packet []byte) {
		switch {
		case kind == rtcpSenderReport && len(packet) >= 16:
			report := senderReport{middleNTP: binary.BigEndian.Uint32(packet[10:]), at: at}
			if ssrc := binary.BigEndian.Uint32(packet[4:]); ssrc == v.video.ssrc {
				v.video.report = report
			} else if ssrc == v.audio.ssrc {
				v.audio.report = report
			}
		case kind == rtcpGoodbye && !v.leaving:
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
	if v.answer.video.nack && v.video.Gap() && now-v.video.askedAt >= repairInterval {
		v.video.askedAt = now
		var list [mostPerRequest]uint16
		v.sendRTCP(appendNACK(nil, v.ssrc, v.video.ssrc, v.video.Missing(list[:0], mostPerRequest)))
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
	b = appendHeader(b, blocks, rtcpReceiverReport, 1+6*int(blocks), v.ssrc)
	for _, stream := range []*mediaStream{&v.video, &v.audio} {
		if stream.Packets > 0 {
			b = appendBlock(b, stream.ssrc, stream.Report(), stream.report, now)
		}
	}
	return appendDescription(b, v.ssrc, v.ice.localUfrag)
}

func (v *Viewer) sendRTCP(packet []byte) {
	encrypted, err := v.outbound.EncryptRTCP(nil, packet, nil)
	if err == nil {
		err = v.socket.Send(encrypted)
	}
	v.ice.noteSend(err)
}

// Repairs lists the viewers with a gap, so that nobody has to look through all of them.
type Repairs struct {
	mutex   sync.Mutex
	viewers []*Viewer
}

func (r *Repairs) add(v *Viewer) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.viewers = append(r.viewers, v)
}

// Run repairs what is due; to be called every 10 ms or so.
func (r *Repairs) Run(now time.Time) {
	r.mutex.Lock()
	list := r.viewers
	r.viewers = nil
	r.mutex.Unlock()
	for _, v := range list {
		if v.Repair(now.UnixNano()) {
			r.add(v)
		}
	}
}
