package whep

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep/feedback"
	"fullhouse/agent/internal/whep/rtp"
	"fullhouse/agent/internal/whep/sdp"
)

const (
	// streamsTimeout is how long all streams of a room may take to deliver their first frame, from when the viewer is
	// connected and all others publish.
	streamsTimeout = 10 * time.Second
	// othersTimeout is how long the other participants of a room may take to publish.
	othersTimeout = 60 * time.Second
	// refusedTimeout is how long a publisher checks a server whose media address refuses packets.
	refusedTimeout = 5 * time.Second
	// maxBlocks is the maximum of blocks in a report (RFC 3550 6.4.2).
	maxBlocks = 31
	// maxTracks bounds the streams of a participant.
	maxTracks = 1000
)

// Room makes viewers participants of rooms: each sends a sample, if there is one, and receives the streams of all others.
type Room struct {
	// Size is the number of participants of a room. A participant of a room of one is a publisher.
	Size int
	// Sample is what each sends; nil for viewers that receive several videos.
	Sample *media.Sample
	// Smaller are the further layers of simulcast, the largest first.
	Smaller []*media.Sample
}

// roomTrack is a stream that a participant receives.
type roomTrack struct {
	mediaStream
	isVideo  bool
	codec    rtppayload.Codec
	audio    sdp.AudioFormat
	frames   stats.Frames
	requests feedback.Requests
	// brokenFrames is as of the last request for a keyframe.
	brokenFrames uint64
	name         string // of its track at the server; empty if unknown
	isGone       bool   // its participant left
	size         rtppayload.Size
}

// roomMedia are the streams of a participant.
type roomMedia struct {
	// outgoing are the sent samples: with simulcast one per layer, the largest first, which has the audio.
	outgoing []*outgoing
	offer    sdp.Offer // the latest
	tracks   []*roomTrack
	bySSRC   map[uint32]*roomTrack
	// repairs are streams of retransmissions and of error correction, by their own SSRC.
	repairs map[uint32]*mediaStream
	sources []sdp.Source
	// published are the server's names of the others' videos; completeAt is when as many as expected were published.
	published  []string
	completeAt int64
	// connectedAt is when all others' videos had a packet, playingAt a frame.
	connectedAt, playingAt int64
	// feedbackAt is when the server last reported about what it receives, or requested some of it.
	feedbackAt int64
	// refusedAt is since when the server's media address refuses packets; 0 while it answers.
	refusedAt int64
	// isRenominating: a timer of renominate is set.
	isRenominating bool
}

func newRoomMedia(room *Room) *roomMedia {
	r := &roomMedia{bySSRC: map[uint32]*roomTrack{}, repairs: map[uint32]*mediaStream{}}
	if room.Sample == nil {
		return r
	}
	samples := append([]*media.Sample{room.Sample}, room.Smaller...)
	names := sdp.LayerNames(len(samples))
	for i, sample := range samples {
		o := newOutgoing(sample)
		if len(names) > 0 {
			o.layer, o.skips[media.Audio] = names[len(names)-1-i], i > 0
		}
		r.outgoing = append(r.outgoing, o)
	}
	return r
}

// sections are those of the first offer: what the participant sends; else the first video and audio that it receives.
func (r *roomMedia) sections() (sections []sdp.Section) {
	if len(r.outgoing) == 0 {
		return []sdp.Section{{Audio: true}, {}}
	}
	largest := r.outgoing[0]
	for _, kind := range largest.kinds() {
		section := sdp.Section{Audio: kind == media.Audio,
			Send: &sdp.SendStream{Codec: largest.sample.Codec, SSRC: largest.ssrc[kind], Track: kind.String()}}
		for _, o := range r.outgoing {
			o.payloadType[kind] = sdp.SentPayloadType(kind == media.Audio, o.sample.Codec)
			if kind == media.Video && o.layer != "" {
				o.mid = strconv.Itoa(len(sections))
				section.Send.Layers = append([]string{o.layer}, section.Send.Layers...)
			}
		}
		sections = append(sections, section)
	}
	return sections
}

// restrict leaves the layers that the server receives; of a server without simulcast the largest.
func (r *roomMedia) restrict(layers []string) {
	for i, o := range r.outgoing {
		if len(layers) == 0 {
			o.layer, o.skips[media.Video] = "", i > 0
		} else {
			o.skips[media.Video] = !slices.Contains(layers, o.layer)
		}
	}
}

// sent sums up the layers. Frames are those of the largest; loss is that of the worst layer.
func (r *roomMedia) sent() viewer.Sent {
	var sum viewer.Sent
	for _, o := range r.outgoing {
		one := o.sent
		if o.skips[media.Video] {
			one.Frames, one.Reported = 0, false
		} else if o.layer != "" {
			sum.Layers++
		}
		sum.Packets, sum.Bytes, sum.Frames = sum.Packets+one.Packets, sum.Bytes+one.Bytes, max(sum.Frames, one.Frames)
		sum.Requested, sum.Retransmitted = sum.Requested+one.Requested, sum.Retransmitted+one.Retransmitted
		sum.KeyframeRequests += one.KeyframeRequests
		sum.LossPercent, sum.RoundTripNs = max(sum.LossPercent, one.LossPercent), max(sum.RoundTripNs, one.RoundTripNs)
		sum.Reported = sum.Reported || one.Reported
	}
	if len(r.outgoing) == 1 {
		sum.Loop = r.outgoing[0].loop()
	}
	return sum
}

// OnSections adds receive-only sections, and returns the new offer.
func (s *viewerSession) OnSections(audios, videos int) (offer string) {
	v := (*Viewer)(s)
	v.locked(func() {
		r := v.room
		left := max(0, 2*maxTracks-len(r.offer.Sections)) // of all offers together
		audios, videos = min(audios, maxTracks, left), min(videos, maxTracks, left)
		for range min(audios, left-videos) {
			r.offer.Sections = append(r.offer.Sections, sdp.Section{Audio: true})
		}
		for range videos {
			r.offer.Sections = append(r.offer.Sections, sdp.Section{})
		}
		r.offer.Version++
		offer = r.offer.String()
	})
	return offer
}

// OnAnswer takes the answer to an offer of OnSections. A server may restart ICE in it: pion does if the offer arrives
// before it has started the ICE of the one before.
func (s *viewerSession) OnAnswer(answer string) {
	v := (*Viewer)(s)
	sources := sdp.Sources(answer)
	ufrag, password := sdp.Credentials(answer)
	v.locked(func() {
		if ufrag != "" {
			v.ice.Start(ufrag, password, nil)
			if !v.room.isRenominating {
				v.renominate()
			}
		}
		v.room.sources = sources
		for _, track := range v.room.tracks {
			track.name = v.room.source(track.ssrc).Track
		}
		if v.transportCC == nil && sources != nil {
			if a, f := sdp.ParseTrickledAnswer(answer, v.expected()); f == nil && a.TransportCC != 0 {
				v.transportCC = &transportFeedback{extension: a.TransportCC}
				v.captureTime = max(v.captureTime, a.CaptureTime)
				v.group.join(v)
			}
		}
		v.room.nameGone()
	})
}

// renominateInterval is that of the checks by which a restarted server learns the pair in use.
const renominateInterval = 100 * time.Millisecond

// renominate nominates the pair in use, for a server that restarted ICE with the same port: the socket receives from no
// other. It does so until the server has responded, consent is lost or the viewer disconnects; there is one timer,
// whatever the number of restarts. The caller holds the mutex.
func (v *Viewer) renominate() {
	v.room.isRenominating = !v.disconnecting && v.failure == nil && v.ice.Renominate(monotonic.Nano())
	if v.room.isRenominating {
		time.AfterFunc(renominateInterval, func() { v.locked(v.renominate) })
	}
}

// OnWatched pauses the layers that nobody watches from their next picture on. A single layer is sent if any is watched.
func (s *viewerSession) OnWatched(layers []bool) {
	v := (*Viewer)(s)
	v.locked(func() {
		for i, o := range v.room.outgoing {
			place := len(v.room.outgoing) - 1 - i
			isWatched := place < len(layers) && layers[place]
			if len(v.room.outgoing) == 1 {
				isWatched = slices.Contains(layers, true)
			}
			o.wantsKeyframe = o.wantsKeyframe || o.isUnwatched && isWatched
			o.isUnwatched = !isWatched
		}
	})
}

// OnPublished takes the server's names of the videos that others publish now.
func (s *viewerSession) OnPublished(names []string) {
	v := (*Viewer)(s)
	v.locked(func() {
		r := v.room
		r.published = names
		if r.completeAt == 0 && len(names) >= v.group.Room.Size-1 {
			r.completeAt = monotonic.Nano()
		}
		r.nameGone()
	})
}

// nameGone marks the streams of those that left.
func (r *roomMedia) nameGone() {
	for _, track := range r.tracks {
		track.isGone = track.isVideo && track.name != "" && !slices.Contains(r.published, track.name)
	}
}

func (r *roomMedia) source(ssrc uint32) sdp.Source {
	if i := slices.IndexFunc(r.sources, func(s sdp.Source) bool { return s.SSRC == ssrc }); i >= 0 {
		return r.sources[i]
	}
	return sdp.Source{}
}

// roomPacket counts a packet that a participant received.
func (v *Viewer) roomPacket(data []byte, at int64) {
	r, header := v.room, rtp.ReadHeader(data)
	codec, isRepair := sdp.Format(header.PayloadType)
	audio, isAudio := sdp.AudioOf(header.PayloadType)
	switch {
	case isRepair:
		v.roomRepair(data, header, at)
		return
	case sdp.IsFEC(header.PayloadType):
		v.roomCorrection(data, header, at)
		return
	case codec == rtppayload.None && !isAudio:
		v.unknown++
		return
	}
	track := r.bySSRC[header.SSRC]
	if track == nil {
		if len(r.tracks) == maxTracks {
			v.unknown++
			return
		}
		track = v.newTrack(header, audio, codec)
	}
	packet := stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at}
	if v.sampler.due() || v.damagedInRow > 0 || track.Packets < firstDecrypted || track.isVideo && (track.frames.FirstAt == 0 || !track.InOrder(header.Sequence)) {
		b := scratch.Get().(*buffers)
		payload, authentic := v.decrypt(b, data, header.SSRC, track.Rollover(header.Sequence))
		if track.isVideo {
			track.inspect(payload, &packet)
		}
		scratch.Put(b)
		if !authentic {
			return
		}
	}
	if track.Packets == 0 { // authentic
		r.bySSRC[header.SSRC] = track
		r.tracks = append(r.tracks, track)
	}
	if v.captureTime != 0 {
		track.readCapture(data, v.captureTime, header.Timestamp, at)
	}
	hadGap := track.Gap()
	track.receive(packet, &track.requests)
	v.lastPacketAt = at
	if v.firstPacketAt == 0 {
		v.firstPacketAt = at
	}
	r.progress(v.group.Room.Size-1, at)
	if track.isVideo && track.Packets == 1 && !packet.Keyframe {
		v.requestKeyframes(track.ssrc)
	}
	if !hadGap && track.Gap() && !v.queued {
		v.queued = true
		v.group.repair(v)
	}
}

// newTrack makes the track of a stream's first packet; audio is the zero value for video.
func (v *Viewer) newTrack(header rtp.Header, audio sdp.Track, codec rtppayload.Codec) *roomTrack {
	track := &roomTrack{isVideo: audio.IsNone(), codec: codec, audio: audio.Audio, name: v.room.source(header.SSRC).Track}
	track.ssrc, track.payloadType = header.SSRC, header.PayloadType
	track.ClockRate, track.GapTimeout = audio.ClockRate, stats.GapTimeoutWithoutRepair
	if track.isVideo {
		track.ClockRate, track.GapTimeout = float64(media.Video.ClockRate()), stats.GapTimeoutWithRepair
		track.Frames = &track.frames
	}
	return track
}

func (t *roomTrack) inspect(payload []byte, packet *stats.Packet) {
	p := t.codec.Inspect(payload)
	packet.StartsFrame, packet.Keyframe = p.StartsFrame, p.Keyframe
	if p.Layers > 0 {
		t.size = p.Sizes[p.Layers-1]
	}
}

// roomRepair fills a gap of one of the videos (RFC 4588).
func (v *Viewer) roomRepair(data []byte, header rtp.Header, at int64) {
	r := v.room
	track := r.bySSRC[r.source(header.SSRC).Repairs]
	stream := r.repairStream(header)
	if track == nil || stream == nil {
		v.unknown++
		return
	}
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	payload, authentic := v.decrypt(b, data, header.SSRC, stream.Rollover(header.Sequence))
	if !authentic {
		return
	}
	r.repairs[header.SSRC] = stream
	packet := stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at}
	stream.Receive(packet)
	if original, rest, found := rtp.OriginalSequence(payload); found {
		packet.Sequence = original
		track.inspect(rest, &packet)
		track.Repair(packet)
		r.progress(v.group.Room.Size-1, at)
	}
}

// repairStream is the stream of retransmissions or of error correction of a packet, not kept yet if it is new; nil
// beyond the maximum.
func (r *roomMedia) repairStream(header rtp.Header) *mediaStream {
	stream := r.repairs[header.SSRC]
	if stream == nil && len(r.repairs) < maxTracks {
		stream = &mediaStream{ssrc: header.SSRC, payloadType: header.PayloadType,
			Stream: stats.Stream{ClockRate: float64(media.Video.ClockRate()), GapTimeout: stats.GapTimeoutWithoutRepair}}
	}
	return stream
}

// roomCorrection counts a packet of forward error correction. Its content is not used, so it is not decrypted.
func (v *Viewer) roomCorrection(data []byte, header rtp.Header, at int64) {
	stream := v.room.repairStream(header)
	if stream == nil {
		v.unknown++
		return
	}
	v.room.repairs[header.SSRC] = stream
	stream.Receive(stats.Packet{Sequence: header.Sequence, Timestamp: header.Timestamp, Marker: header.Marker, Bytes: len(data), At: at})
}

// progress notes when all of the expected videos have packets, and frames.
func (r *roomMedia) progress(expected int, at int64) {
	if r.playingAt != 0 {
		return
	}
	received, playing := r.count()
	if r.connectedAt == 0 && received >= expected {
		r.connectedAt = at
	}
	if playing >= expected {
		r.playingAt = at
	}
}

// count is how many videos have packets, and frames.
func (r *roomMedia) count() (received, playing int) {
	for _, track := range r.tracks {
		if !track.isVideo {
			continue
		}
		received++
		if track.frames.FirstAt != 0 {
			playing++
		}
	}
	return received, playing
}

func (r *roomMedia) expire(now int64) {
	for _, track := range r.tracks {
		track.Expire(now)
	}
	for _, stream := range r.repairs {
		stream.Expire(now)
	}
}

// repairRoom requests the missing packets of all videos; false when nothing is left to do.
func (v *Viewer) repairRoom(now int64) (isLeft bool) {
	v.room.expire(now)
	for _, track := range v.room.tracks {
		isLeft = isLeft || track.Gap()
		if !track.isVideo {
			continue
		}
		var missing, due [maxPerRequest]uint16
		if list := track.requests.Due(due[:0], track.Missing(missing[:0], maxPerRequest), now, v.ice.RoundTripNs); len(list) > 0 {
			b := scratch.Get().(*buffers)
			packet := feedback.AppendHeader(b.plain[:0], 0, feedback.ReceiverReportType, 1, receiverSSRC)
			v.send(b, feedback.AppendNACK(packet, receiverSSRC, track.ssrc, list))
			scratch.Put(b)
		}
	}
	return isLeft
}

func (v *Viewer) requestKeyframes(ssrcs ...uint32) {
	if len(ssrcs) == 0 {
		return
	}
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	packet := feedback.AppendHeader(b.plain[:0], 0, feedback.ReceiverReportType, 1, receiverSSRC)
	for _, ssrc := range ssrcs[:min(len(ssrcs), maxBlocks)] {
		packet = feedback.AppendPLI(packet, receiverSSRC, ssrc)
	}
	v.send(b, packet)
}

// tickRoom sends what is due each second: reports, and requests for keyframes.
func (v *Viewer) tickRoom(now int64) {
	r := v.room
	var broken []uint32
	for _, track := range r.tracks {
		if track.isVideo && !track.isGone && (track.frames.FirstAt == 0 || track.frames.Broken > track.brokenFrames) {
			track.brokenFrames = track.frames.Broken
			broken = append(broken, track.ssrc)
		}
		if track.isVideo {
			track.GapTimeout = min(max(stats.GapTimeoutWithRepair, 2*v.ice.RoundTripNs+repairMargin), maxGapTimeout)
		}
	}
	v.requestKeyframes(broken...)
	b := scratch.Get().(*buffers)
	defer scratch.Put(b)
	for from := 0; from == 0 || from < len(r.tracks); from += maxBlocks {
		blocks := r.tracks[from:min(from+maxBlocks, len(r.tracks))]
		packet := b.plain[:0]
		if from == 0 {
			for _, o := range r.outgoing {
				packet = o.appendSenderReports(packet, now)
			}
		}
		packet = feedback.AppendHeader(packet, byte(len(blocks)), feedback.ReceiverReportType, 1+6*len(blocks), receiverSSRC)
		for _, track := range blocks {
			packet = feedback.AppendBlock(packet, track.ssrc, track.Report(), track.report, now)
		}
		v.send(b, packet)
	}
}

// checkRoomTimeouts checks that every stream of the room is received.
func (v *Viewer) checkRoomTimeouts(at int64) {
	r, expected := v.room, v.group.Room.Size-1
	received, playing := r.count()
	since := max(v.establishedAt, r.completeAt)
	switch {
	case expected == 0:
		v.checkSending(at)
	case r.playingAt == 0 && r.completeAt == 0 && at-v.establishedAt > int64(othersTimeout):
		v.fail(failure.New(failure.FirstPacket, protocol.CauseNoPublisher, "Only %d of %d other participants published within %s.", len(r.published), expected, othersTimeout))
	case r.playingAt == 0 && r.completeAt != 0 && at-since > int64(streamsTimeout):
		stage, what := failure.FirstFrame, fmt.Sprintf("%d a packet but no complete keyframe", received-playing)
		if received == 0 {
			stage, what = failure.FirstPacket, "none a packet"
		}
		v.fail(failure.New(stage, protocol.CauseStreamsMissing, "%d of the %d streams of the room delivered a frame within %s, %s.", playing, expected, streamsTimeout, what))
	case v.firstPacketAt != 0 && at-v.heardAt() > int64(silenceTimeout) && len(r.published) > 0:
		v.fail(failure.New(failure.Media, protocol.CauseSilent, "No media packet of any of %d streams for %s.", len(r.tracks), failure.Since(v.lastPacketAt)))
	case v.ice.ConsentLost(at) != nil:
		v.fail(v.ice.ConsentLost(at))
	}
}

// checkSending checks that the server still responds to a publisher, which receives no media. A closed port may be open
// again after a moment: it is checked each second, and the session is lost if none of these checks is answered.
func (v *Viewer) checkSending(at int64) {
	if f := v.ice.ConsentLost(at); f != nil {
		v.fail(f)
		return
	}
	r := v.room
	_, refused := v.ice.Refusal()
	switch {
	case !refused:
		r.refusedAt = 0
		return
	case r.refusedAt == 0 || max(v.respondedAt(), v.ice.ResumedAt) > r.refusedAt:
		r.refusedAt = at
	case at-r.refusedAt >= int64(refusedTimeout):
		v.fail(failure.New(failure.Media, protocol.CauseRefused, "The server's media address %s refused packets, and responded to no ICE check for %s.",
			v.ice.Selected, time.Duration(at-r.refusedAt).Round(time.Millisecond)))
	}
	v.ice.CheckNow()
}

// respondedAt is when the server last responded to what a publisher sends.
func (v *Viewer) respondedAt() int64 { return max(v.ice.ConsentAt, v.room.feedbackAt) }

// readRoom sums up all streams. Frames are those of an average video, so that the frame rate is that of one; gaps are
// those of the worst.
func (v *Viewer) readRoom(at int64) viewer.Reading {
	r := v.room
	reading := viewer.Reading{FirstPacketAt: r.connectedAt, FirstFrameAt: r.playingAt, Overflowed: v.overflowed, Damaged: v.damaged,
		RoundTripNs: v.ice.RoundTripNs, Failure: v.failure}
	if len(r.outgoing) > 0 {
		sent := r.sent()
		sent.RespondedAt = v.respondedAt()
		reading.Sent = &sent
	}
	for _, track := range r.tracks {
		reading.Packets += track.Packets
		reading.Bytes += track.Bytes
		reading.Expected += track.Expected
		reading.Lost += track.Lost
		reading.Repaired += track.Repaired
		if !track.isVideo {
			continue
		}
		reading.Repairs.Recovered += track.recovered()
		reading.Frames += track.frames.Complete
		if !track.isGone {
			reading.GapNs = max(reading.GapNs, track.frames.GapNs(at))
			track.readDelay(&reading)
		}
		reading.Stalls += track.frames.Stalls
		reading.FreezeCount += track.frames.Freezes.Count
		reading.FreezeMs += track.frames.Freezes.DurationMs
		reading.StalledNs = max(reading.StalledNs, track.frames.StalledUntil(at))
		reading.JitterMs, reading.HasJitter = max(reading.JitterMs, track.JitterMs()), reading.HasJitter || track.Packets > 1
	}
	for _, stream := range r.repairs {
		if sdp.IsFEC(stream.payloadType) {
			reading.Repairs.FEC, reading.Repairs.FECBytes = reading.Repairs.FEC+stream.Packets, reading.Repairs.FECBytes+stream.Bytes
		} else {
			reading.Repairs.Retransmitted, reading.Repairs.RetransmittedBytes = reading.Repairs.Retransmitted+stream.Packets, reading.Repairs.RetransmittedBytes+stream.Bytes
		}
	}
	reading.OverTCP = v.overTCP()
	reading.HasRepairs = v.group.Room.Size > 1
	reading.Frames /= uint64(max(1, v.group.Room.Size-1))
	return reading
}

// takeLongestGap is the longest gap of any video that ended since the last call.
func (r *roomMedia) takeLongestGap() (longest int64) {
	for _, track := range r.tracks {
		longest = max(longest, track.frames.TakeLongest())
	}
	return longest
}

// maxStreamViews is the maximum of streams in a viewer's detail.
const maxStreamViews = 64

// streamViews are the received streams: video, audio, and what repairs them.
func (r *roomMedia) streamViews() []viewer.Stream {
	var videos, audios, repairs []viewer.Stream
	for _, track := range r.tracks {
		if track.isVideo {
			view := track.view("video", track.codec.String())
			view.Width, view.Height = int(track.size.Width), int(track.size.Height)
			videos = append(videos, view)
		} else {
			audios = append(audios, track.view("audio", track.audio.String()))
		}
	}
	for _, stream := range r.repairs {
		if sdp.IsFEC(stream.payloadType) {
			repairs = append(repairs, stream.view("fec", "flexfec"))
		} else {
			repairs = append(repairs, stream.view("repair", "rtx"))
		}
	}
	slices.SortFunc(repairs, func(a, b viewer.Stream) int { return cmp.Compare(a.SSRC, b.SSRC) })
	streams := slices.Concat(videos, audios, repairs)
	return streams[:min(len(streams), maxStreamViews)]
}

// sendRoomArrivals sends the transport-wide feedback of a participant.
func (v *Viewer) sendRoomArrivals(b *buffers) {
	if len(v.room.tracks) == 0 {
		return
	}
	for v.transportCC.Pending() {
		v.send(b, v.transportCC.Append(b.plain[:0], receiverSSRC, v.room.tracks[0].ssrc))
	}
}
