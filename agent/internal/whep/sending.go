package whep

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
	"fullhouse/agent/internal/whep/sdp"
)

const (
	// sendInterval is how often packets that are due are sent.
	sendInterval = 5 * time.Millisecond
	// maxSendLag is the maximum lateness that is caught up by sending at once; after a longer stall the stream is
	// delayed instead, so that a server is not flooded.
	maxSendLag = 500e6
	// keyframeInterval is the minimum interval of keyframes sent on request.
	keyframeInterval = 500e6
	// captureInterval is the interval of the capture times that are sent: those of packets between them follow from it.
	captureInterval = int64(time.Second)
	// sentHistory is how many packets of video can be sent again.
	sentHistory = 512
)

// sentPacket is what is kept of a packet of video: its content is in the sample.
type sentPacket struct {
	timestamp uint32
	index     int32
	picture   int64
	sequence  uint16
	valid     bool
}

// outgoing sends a sample in a loop. The sample is shared by all participants; only headers and keys differ.
type outgoing struct {
	sample *media.Sample
	// layer is the RTP stream id of a layer of simulcast; empty for one stream. mid is that of its section.
	layer, mid string
	// skips are the kinds that are not sent: audio of a smaller layer, video of a layer that the server refused.
	skips [media.Kinds]bool
	// isUnwatched: nobody watches the layer; isPaused follows it at the start of the next picture.
	isUnwatched, isPaused bool
	ssrc                  [media.Kinds]uint32
	payloadType           [media.Kinds]uint8
	sequence              [media.Kinds]uint16
	offset                [media.Kinds]uint32
	// origin is when the stream's time 0 is, and shift what to add to a time of the sample for its time in the stream:
	// loops and jumps change it.
	origin, shift int64
	// since is when the latest jump was, in the sample or of origin.
	since         int64
	next          int  // in the sample
	atFrame       bool // the next video packet starts a picture
	picture       int64
	wantsKeyframe bool
	keyframeAt    int64 // when a requested one was sent
	history       [sentHistory]sentPacket
	packets       [media.Kinds]uint64
	octets        [media.Kinds]uint64
	timestamp     [media.Kinds]uint32 // of the latest packet
	capturedAt    [media.Kinds]int64  // the latest capture time that was sent
	sent          viewer.Sent
}

func newOutgoing(sample *media.Sample) *outgoing {
	o := &outgoing{sample: sample, atFrame: true}
	for kind := range o.ssrc {
		o.ssrc[kind], o.sequence[kind], o.offset[kind] = rand.Uint32()|1, uint16(rand.Uint32()), rand.Uint32()
	}
	return o
}

// kinds are those that the sample has.
func (o *outgoing) kinds() []media.Kind {
	if o.sample.HasAudio() {
		return []media.Kind{media.Audio, media.Video}
	}
	return []media.Kind{media.Video}
}

// Pacer sends for all viewers of one or several groups that send.
type Pacer struct {
	mutex   sync.Mutex
	viewers []*Viewer
	running bool
}

// add starts to send for a viewer, until it disconnects or fails.
func (p *Pacer) add(v *Viewer) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.viewers = append(p.viewers, v)
	if !p.running {
		p.running = true
		go p.run()
	}
}

func (p *Pacer) run() {
	ticker := time.NewTicker(sendInterval)
	defer ticker.Stop()
	var viewers []*Viewer
	for range ticker.C {
		p.mutex.Lock()
		viewers = append(viewers[:0], p.viewers...)
		p.mutex.Unlock()
		now := monotonic.Nano()
		var over []*Viewer
		for _, v := range viewers {
			if !v.sendDue(now) {
				over = append(over, v)
			}
		}
		if p.remove(over) {
			return
		}
	}
}

// remove returns whether nothing is left to send.
func (p *Pacer) remove(over []*Viewer) (isDone bool) {
	if len(over) == 0 {
		return false
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.viewers = slices.DeleteFunc(p.viewers, func(v *Viewer) bool { return slices.Contains(over, v) })
	p.running = len(p.viewers) > 0
	return !p.running
}

// sendDue sends all packets that are due; false when the viewer sends no more.
func (v *Viewer) sendDue(now int64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.disconnecting || v.failure != nil || v.outbound == nil {
		return false
	}
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	for _, o := range v.room.outgoing {
		v.sendDueOf(b, o, now)
	}
	return true
}

func (v *Viewer) sendDueOf(b *buffers, o *outgoing, now int64) {
	if o.origin == 0 {
		o.origin, o.since = now, now
	}
	packets := o.sample.Packets
	for {
		packet := &packets[o.next]
		if packet.Kind == media.Video && o.atFrame {
			o.isPaused = o.isUnwatched
		}
		if packet.Kind == media.Video && o.atFrame && !o.isPaused && o.wantsKeyframe && !packet.Keyframe && now-o.keyframeAt >= keyframeInterval {
			o.jump()
			packet, o.keyframeAt, o.wantsKeyframe, o.since = &packets[o.next], now, false, now
		}
		at := o.shift + int64(packet.At)
		late := now - o.origin - at
		if late < 0 {
			return
		}
		if late > maxSendLag {
			o.origin, o.since = o.origin+late, now
		}
		switch {
		case o.skips[packet.Kind]:
		case packet.Kind == media.Video && o.isPaused:
			o.atFrame = packet.Marker
		default:
			v.sendPacket(b, o, packet, at)
		}
		o.advance()
	}
}

// loop is where the sample's loop is in time; unknown before the first packet.
func (o *outgoing) loop() viewer.Loop {
	if o.origin == 0 {
		return viewer.Loop{}
	}
	return viewer.Loop{StartNs: o.origin + o.shift, SinceNs: o.since, LengthNs: int64(o.sample.Duration)}
}

func (o *outgoing) advance() {
	if o.next++; o.next == len(o.sample.Packets) {
		o.next = 0
		o.shift += int64(o.sample.Duration)
	}
}

// jump goes to the sample's next keyframe, which takes the place of the next picture in time: the stream's clock
// continues without a gap.
func (o *outgoing) jump() {
	packets, from := o.sample.Packets, o.next
	to := (from + 1) % len(packets)
	for !packets[to].Keyframe {
		to = (to + 1) % len(packets)
	}
	o.shift += int64(packets[from].At - packets[to].At)
	o.next = to
}

func (v *Viewer) sendPacket(b *buffers, o *outgoing, packet *media.Packet, at int64) {
	kind := packet.Kind
	timestamp := o.offset[kind] + uint32(at/1000*packet.Kind.ClockRate()/1_000_000)
	sequence := o.sequence[kind]
	o.sequence[kind]++
	var captured int64
	if isFirst := kind == media.Audio || o.atFrame; isFirst && v.captureTime != 0 && o.origin+at-o.capturedAt[kind] >= captureInterval {
		captured = o.origin + at
		o.capturedAt[kind] = captured
	}
	if kind == media.Video {
		if packet.Keyframe && o.atFrame {
			o.wantsKeyframe = false
		}
		o.history[sequence%sentHistory] = sentPacket{timestamp: timestamp, index: int32(o.next), picture: o.picture, sequence: sequence, valid: true}
		if o.atFrame = packet.Marker; packet.Marker {
			o.sent.Frames++
		}
	}
	o.packets[kind]++
	o.octets[kind] += uint64(len(packet.Payload))
	o.timestamp[kind] = timestamp
	v.write(b, o, packet, sequence, timestamp, o.picture, captured)
	if kind == media.Video && packet.Marker {
		o.picture++
	}
}

// write encrypts and sends a packet of the sample, with the capture time of its frame unless that is 0.
func (v *Viewer) write(b *buffers, o *outgoing, packet *media.Packet, sequence uint16, timestamp uint32, picture, captured int64) {
	first, marker, headerSize := byte(0x80), byte(0), rtp.HeaderSize
	if packet.Marker {
		marker = 0x80
	}
	var extensions [3]rtp.Element
	count := 0
	// Until the server has reported about the layer, as browsers do: then it knows the SSRC.
	if o.layer != "" && !o.sent.Reported && packet.Kind == media.Video {
		extensions[0] = rtp.Element{ID: sdp.MediaIDExtension, Value: []byte(o.mid)}
		extensions[1] = rtp.Element{ID: sdp.StreamIDExtension, Value: []byte(o.layer)}
		count = 2
	}
	var stamp [8]byte
	if captured != 0 {
		binary.BigEndian.PutUint64(stamp[:], ntp.Timestamp(captured))
		extensions[count] = rtp.Element{ID: v.captureTime, Value: stamp[:]}
		count++
	}
	if count > 0 {
		first |= 0x10
	}
	plain := append(b.plain[:0], first, marker|o.payloadType[packet.Kind])
	plain = binary.BigEndian.AppendUint16(plain, sequence)
	plain = binary.BigEndian.AppendUint32(plain, timestamp)
	plain = binary.BigEndian.AppendUint32(plain, o.ssrc[packet.Kind])
	if count > 0 {
		plain = rtp.AppendExtensions(plain, extensions[:count]...)
		headerSize = len(plain)
	}
	plain = append(plain, packet.Payload...)
	if packet.Kind == media.Video && media.HasPictureID(o.sample.Codec) {
		media.SetPictureID(o.sample.Codec, plain[headerSize:], picture)
	}
	encrypted, err := v.outbound.EncryptRTP(b.encrypted[:0], plain, &b.mediaHeader)
	if err == nil {
		err = v.socket.Send(encrypted)
	}
	v.ice.RecordSendError(err)
	o.sent.Packets++
	o.sent.Bytes += uint64(len(plain))
}

// sentFeedback handles what the server reports about the sent streams, and requests of them.
func (v *Viewer) sentFeedback(kind byte, packet []byte, at int64) {
	v.room.feedbackAt = at
	for _, o := range v.room.outgoing {
		switch ssrc := o.ssrc[media.Video]; {
		case kind == feedback.ReceiverReportType || kind == feedback.SenderReportType:
			o.report(kind, packet, at)
		case feedback.IsKeyframeRequest(kind, packet):
			// With a single outgoing stream it is a request for that stream, even if it names another SSRC.
			if len(v.room.outgoing) == 1 || feedback.RequestsKeyframe(packet, ssrc) {
				o.sent.KeyframeRequests++
				o.wantsKeyframe = true
			}
		default:
			b := scratch.Get().(*buffers)
			feedback.Missing(kind, packet, ssrc, func(sequence uint16) {
				o.sent.Requested++
				if one := o.history[sequence%sentHistory]; one.valid && one.sequence == sequence {
					o.sent.Retransmitted++
					v.write(b, o, &o.sample.Packets[one.index], sequence, one.timestamp, one.picture, 0)
				}
			})
			scratch.Put(b)
		}
	}
}
