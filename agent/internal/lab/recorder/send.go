package recorder

import (
	"encoding/binary"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

const (
	sendTick       = 5 * time.Millisecond
	reportEvery    = time.Second
	permanentEvery = 4
	keptPackets    = 512
)

// player is a session's position in the sample.
type player struct {
	next           int           // in the sample
	startTime      time.Time     // when the sample's position 0 was or would have been sent
	elapsed        time.Duration // of RTP time before began
	wide           uint16        // transport-wide sequence number
	sent           [keptPackets]kept
	reportAt       time.Time
	counts         [media.Kinds]struct{ packets, bytes uint32 }
	keyframeWanted bool // a keyframe
}

// kept is a video packet that may be requested again.
type kept struct {
	packet  rtp.Packet
	isValid bool
}

// withheld is a packet that was not sent at first.
type withheld struct {
	isPermanent bool
	repaired    bool
	missingAt   time.Time // when the packet after it was sent
	requestedAt []float64
}

func (s *session) start(now time.Time) {
	s.startTime, s.reportAt = now, now
	for kind := range s.tracks {
		s.tracks[kind].sequence, s.tracks[kind].rtx = uint16(s.ssrcBase)+1000, 7
	}
	if s.origin.conditions.JoinMidway {
		packets := s.origin.sample.Packets
		for i := range packets {
			if packets[i].At > packets[0].At && packets[i].Kind == media.Video && !packets[i].Keyframe && packets[i-1].Marker {
				s.next = i
				break
			}
		}
		s.startTime = now.Add(-packets[s.next].At)
	}
}

func (o *Origin) send() {
	ticker := time.NewTicker(sendTick)
	defer ticker.Stop()
	for {
		select {
		case <-o.stop:
			return
		case now := <-ticker.C:
			o.mutex.Lock()
			for _, s := range o.sessions {
				if s.outbound != nil && s.leftAt.IsZero() {
					s.play(now)
				}
			}
			o.mutex.Unlock()
		}
	}
}

// play sends what is due.
func (s *session) play(now time.Time) {
	sample := s.origin.sample
	if s.keyframeWanted {
		s.keyframeWanted = false
		s.skipToKeyframe(now)
	}
	for {
		packet := &sample.Packets[s.next]
		if s.startTime.Add(packet.At).After(now) {
			break
		}
		s.sendPacket(packet)
		if s.next++; s.next == len(sample.Packets) {
			s.next = 0
			s.startTime = s.startTime.Add(sample.Duration)
			s.elapsed += sample.Duration
		}
	}
	if now.Sub(s.reportAt) >= reportEvery {
		s.reportAt = now
		s.report(now)
	}
}

// skipToKeyframe continues with the sample's next keyframe, as an encoder would generate one.
func (s *session) skipToKeyframe(now time.Time) {
	sample := s.origin.sample
	for i := s.next; i < len(sample.Packets); i++ {
		if sample.Packets[i].Keyframe {
			skipped := sample.Packets[i].At - sample.Packets[s.next].At
			s.next = i
			s.startTime = s.startTime.Add(-skipped)
			s.elapsed -= skipped
			return
		}
	}
	position := now.Sub(s.startTime)
	s.next, s.startTime, s.elapsed = 0, now, s.elapsed+position
}

func (s *session) sendPacket(from *media.Packet) {
	t := &s.tracks[from.Kind]
	if t.payloadType == 0 {
		return
	}
	at := s.elapsed + from.At
	packet := rtp.Packet{Header: rtp.Header{Version: 2, Marker: from.Marker, PayloadType: t.payloadType, SequenceNumber: t.sequence,
		Timestamp: uint32(int64(at) / 1000 * from.Kind.ClockRate() / 1e6), SSRC: t.ssrc}, Payload: from.Payload}
	t.sequence++
	if from.Kind == media.Video {
		s.sent[packet.SequenceNumber%keptPackets] = kept{packet, true}
		if w := s.withheld[packet.SequenceNumber-1]; w != nil {
			w.missingAt = time.Now()
		}
		every := s.origin.conditions.WithholdEvery
		if every > 0 && int(packet.SequenceNumber)%every == 0 && !from.Keyframe && time.Since(s.keysAt) > 2*time.Second {
			s.withheld[packet.SequenceNumber] = &withheld{isPermanent: int(packet.SequenceNumber)/every%permanentEvery == 0}
			s.wide++ // it counts as sent and lost
			return
		}
	}
	s.counts[from.Kind].packets++
	s.counts[from.Kind].bytes += uint32(len(from.Payload))
	s.transmit(packet, t)
}

// transmit numbers, encrypts and sends.
func (s *session) transmit(packet rtp.Packet, t *track) {
	if t.extension != 0 {
		if packet.SetExtension(t.extension, binary.BigEndian.AppendUint16(nil, s.wide)) != nil {
			return
		}
		s.wide++
	}
	data, err := packet.Marshal()
	if err != nil {
		return
	}
	encrypted, err := s.outbound.EncryptRTP(nil, data, nil)
	if err != nil {
		return
	}
	if every := s.origin.conditions.DamageEvery; every > 0 && packet.SSRC == s.tracks[media.Audio].ssrc && int(packet.SequenceNumber)%every == 0 {
		encrypted[len(encrypted)-1] ^= 1
	}
	_ = s.sendRaw(encrypted) // a lost packet is requested again
}

// handleRequest handles a request for a packet, unless it is withheld for good.
func (s *session) handleRequest(ssrc uint32, sequence uint16, at float64) {
	t := &s.tracks[media.Video]
	if ssrc != t.ssrc {
		return
	}
	if w := s.withheld[sequence]; w != nil {
		w.requestedAt = append(w.requestedAt, at)
		if w.isPermanent {
			return
		}
		w.repaired = true
	}
	k := s.sent[sequence%keptPackets]
	if !k.isValid || k.packet.SequenceNumber != sequence {
		return
	}
	packet := k.packet
	packet.Extensions, packet.Extension = nil, false
	if t.rtxType != 0 {
		packet.Payload = append(binary.BigEndian.AppendUint16(nil, sequence), packet.Payload...)
		packet.PayloadType, packet.SSRC, packet.SequenceNumber = t.rtxType, t.rtxSSRC, t.rtx
		t.rtx++
	}
	s.transmit(packet, t)
}

// report is the sender report, in a compound packet with SDES as usual.
func (s *session) report(now time.Time) {
	for kind := range s.tracks {
		t := &s.tracks[kind]
		if t.payloadType == 0 || s.counts[kind].packets == 0 {
			continue
		}
		at := s.elapsed + now.Sub(s.startTime)
		data, err := rtcp.Marshal([]rtcp.Packet{
			&rtcp.SenderReport{SSRC: t.ssrc, NTPTime: ntp.Timestamp(now.UnixNano()), RTPTime: uint32(int64(at) / 1000 * media.Kind(kind).ClockRate() / 1e6),
				PacketCount: s.counts[kind].packets, OctetCount: s.counts[kind].bytes},
			&rtcp.SourceDescription{Chunks: []rtcp.SourceDescriptionChunk{{Source: t.ssrc, Items: []rtcp.SourceDescriptionItem{{Type: rtcp.SDESCNAME, Text: "recorder"}}}}}})
		if err != nil {
			continue
		}
		if encrypted, err := s.outbound.EncryptRTCP(nil, data, nil); err == nil {
			_ = s.sendRaw(encrypted) // the next one follows in a second
		}
	}
}

func (s *session) repairFacts() *protocol.RecordedRepair {
	if len(s.withheld) == 0 {
		return nil
	}
	f := &protocol.RecordedRepair{Withheld: len(s.withheld)}
	var firsts, retries []float64
	for _, w := range s.withheld {
		if len(w.requestedAt) > 0 && !w.missingAt.IsZero() {
			firsts = append(firsts, w.requestedAt[0]-between(s.keysAt, w.missingAt))
		}
		switch {
		case w.isPermanent:
			f.WithheldForGood++
			f.TriesMost = max(f.TriesMost, len(w.requestedAt))
			retries = append(retries, intervals(w.requestedAt)...)
		case w.repaired:
			f.Repaired++
			if len(w.requestedAt) == 1 {
				f.AskedOnce++
			}
		}
	}
	f.MedianFirstMs, f.MedianRetryMs = tenths(median(firsts)), tenths(median(retries))
	return f
}
