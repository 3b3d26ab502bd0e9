package whep

import (
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
)

const (
	// receiverSSRC is the SSRC that a receive-only browser uses in its reports.
	receiverSSRC  = 1
	maxPerRequest = 64
)

// other handles packets of neither the video's nor the audio's payload type.
func (v *Viewer) other(data []byte, header rtp.Header, at int64) {
	switch kind := header.PayloadType; {
	case kind != 0 && kind == v.answer.Video.RTX:
		v.retransmission(data, header, at)
	case kind != 0 && kind == v.answer.FEC:
		v.correction(data, header, at)
	default:
		v.unknown++
	}
}

// correction counts a packet of forward error correction. Its content is not used, so it is not decrypted.
func (v *Viewer) correction(data []byte, header rtp.Header, at int64) {
	if v.fec == nil || v.fec.ssrc != header.SSRC {
		v.fec = &mediaStream{ssrc: header.SSRC, Stream: stats.Stream{ClockRate: v.video.ClockRate, GapTimeout: stats.GapTimeoutWithoutRepair}}
	}
	v.fec.Receive(stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at})
}

// retransmission fills a gap of the video (RFC 4588).
func (v *Viewer) retransmission(data []byte, header rtp.Header, at int64) {
	rollover := uint32(0)
	known := v.repairs != nil && v.repairs.ssrc == header.SSRC
	if known {
		rollover = v.repairs.Rollover(header.Sequence)
	}
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	payload, authentic := v.decrypt(b, data, header.SSRC, rollover)
	if !authentic {
		return
	}
	if !known {
		v.repairs = &mediaStream{ssrc: header.SSRC, Stream: stats.Stream{ClockRate: v.video.ClockRate, GapTimeout: stats.GapTimeoutWithoutRepair}}
	}
	packet := stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at}
	v.repairs.Receive(packet)
	if original, rest, found := rtp.OriginalSequence(payload); found {
		packet.Sequence = original
		v.inspect(rest, &packet)
		v.video.Repair(packet)
	}
}

func (v *Viewer) expire(now int64) {
	v.video.Expire(now)
	v.audio.Expire(now)
	for _, stream := range []*mediaStream{v.repairs, v.fec} {
		if stream != nil {
			stream.Expire(now)
		}
	}
}

// Repair requests missing packets and gives up overdue ones; false when nothing is left to do.
func (v *Viewer) Repair(now int64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.outbound == nil {
		v.queued = false
		return false
	}
	if v.room != nil {
		v.queued = v.repairRoom(now)
		return v.queued
	}
	v.expire(now)
	if v.answer.Video.NACK {
		var missing, due [maxPerRequest]uint16
		if list := v.requests.Due(due[:0], v.video.Missing(missing[:0], maxPerRequest), now, v.ice.RoundTripNs); len(list) > 0 {
			v.request(list, now)
		}
	}
	v.queued = v.video.Gap() || v.audio.Gap()
	return v.queued
}

// request requests packets again. Only the regular report ends the interval of its loss figure, except in a browser. A
// request is sent with an empty report, or the server would see short intervals of nothing but loss.
func (v *Viewer) request(missing []uint16, now int64) {
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	packet := b.plain[:0]
	if v.browser == nil {
		packet = feedback.AppendHeader(packet, 0, feedback.ReceiverReportType, 1, receiverSSRC)
	} else {
		packet = v.browser.videoReport(v, packet, now)
	}
	v.send(b, feedback.AppendNACK(packet, receiverSSRC, v.video.ssrc, missing))
}

// requestKeyframe requests a keyframe, in a compound packet as a server may require (RFC 4585 3.1).
func (v *Viewer) requestKeyframe() {
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	packet := feedback.AppendHeader(b.plain[:0], 0, feedback.ReceiverReportType, 1, receiverSSRC)
	v.send(b, feedback.AppendPLI(packet, receiverSSRC, v.video.ssrc))
}

// report sends the regular report about all streams.
func (v *Viewer) report(now int64, wantsKeyframe bool) {
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	packet := v.appendReport(b.plain[:0], now, &v.video, &v.audio, v.repairs)
	if wantsKeyframe {
		packet = feedback.AppendPLI(packet, receiverSSRC, v.video.ssrc)
	}
	v.send(b, packet)
}

// appendReport adds a receiver report about those of the streams that have packets.
func (v *Viewer) appendReport(packet []byte, now int64, streams ...*mediaStream) []byte {
	var blocks byte
	for _, stream := range streams {
		if stream != nil && stream.Packets > 0 {
			blocks++
		}
	}
	packet = feedback.AppendHeader(packet, blocks, feedback.ReceiverReportType, 1+6*int(blocks), receiverSSRC)
	for _, stream := range streams {
		if stream != nil && stream.Packets > 0 {
			packet = feedback.AppendBlock(packet, stream.ssrc, stream.Report(), stream.report, now)
		}
	}
	return packet
}

// send encrypts and sends a packet that is in b.
func (v *Viewer) send(b *buffers, packet []byte) {
	encrypted, err := v.outbound.EncryptRTCP(b.encrypted[:0], packet, &b.header)
	if err == nil {
		err = v.socket.Send(encrypted)
	}
	v.ice.RecordSendError(err)
}
