package hls

import (
	"cmp"
	"errors"
	"net/url"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/hls/content"
	"fullhouse/agent/internal/hls/dash"
	"fullhouse/agent/internal/hls/playlist"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
)

func (v *Viewer) where() string { return signalling.Describe(v.group.URL) }

// gotPlaylist handles a playlist. One that another viewer has received before is known. Any other is parsed outside of
// locks and of the reader of all connections: it may take long. The caller holds the mutex.
func (v *Viewer) gotPlaylist(r *request) {
	imports := v.imports(r)
	if !r.isGzip {
		if got, isKnown := v.group.find(r.target, r.body, imports); isKnown {
			v.parsed(r, got, nil)
			return
		}
	}
	v.work.Add(1)
	body := r.body // it may be released meanwhile
	go func() {
		defer v.work.Done()
		text, err := r.text(body)
		var got document
		if err == nil {
			got, err = v.group.parse(r.target, text, imports)
		}
		v.mutex.Lock()
		defer v.mutex.Unlock()
		v.now = max(v.now, monotonic.Nano())
		if v.disconnecting || v.failure != nil || r.isDropped {
			r.release()
			return
		}
		v.parsed(r, got, err)
	}()
}

// imports are the variables that a playlist may import: those of the multivariant playlist, nil for the first playlist.
func (v *Viewer) imports(r *request) playlist.Variables {
	switch {
	case r.track == nil || v.master == nil:
		return nil
	case v.variables == nil:
		return playlist.Variables{}
	}
	return v.variables
}

// parsed handles a playlist that was parsed. The caller holds the mutex.
func (v *Viewer) parsed(r *request, got document, err error) {
	r.release()
	if r.track != nil && r.track.reloading == r {
		r.track.reloading = nil
	}
	if err != nil {
		cause := protocol.CauseNotHLS
		if errors.Is(err, playlist.ErrEncrypted) || errors.Is(err, dash.ErrEncrypted) {
			cause = protocol.CauseEncrypted
		}
		f := failure.New(r.stage(), cause, "%s: %v.", signalling.Describe(r.target), err)
		if r.track == nil || r.track.list == nil {
			v.fail(f)
			return
		}
		v.requestFailed(r, f)
		return
	}
	v.lastError = nil
	list := got.playlist
	if r.track == nil {
		v.gotFirst(r, got)
	} else if v.presentation != nil && got.presentation != nil {
		v.present(got.presentation)
	} else if len(list.Variants) > 0 {
		v.fail(failure.New(r.stage(), protocol.CauseNotHLS, "%s refers to a playlist that is not one of segments.", v.where()))
	} else {
		r.track.update(&list.Media, v.now)
	}
	v.proceed()
}

// gotFirst handles the playlist at the viewer's address: of variants, or of segments.
func (v *Viewer) gotFirst(r *request, got document) {
	list := got.playlist
	v.acceptedAt, v.variables = v.now, list.Variables
	if v.group.AudioOnly || len(list.Variants) == 0 {
		list = audioOf(list)
	}
	if len(list.Variants) == 0 {
		t := &track{viewer: v, address: r.target}
		v.tracks = []*track{t}
		t.update(&list.Media, v.now)
		return
	}
	v.master = list
	v.variant = choose(list.Variants, -1, v.rate.bps())
	v.tracks = []*track{{viewer: v, address: list.Variants[v.variant].URL}}
	if audio := v.separateAudio(v.variant); audio != nil {
		v.tracks = append(v.tracks, &track{viewer: v, address: audio, isAudio: true})
		v.player.HasSeparateAudio()
	}
	if got.presentation != nil {
		v.present(got.presentation)
		return
	}
	for _, t := range v.tracks {
		t.reload()
	}
}

// present takes over a presentation of DASH: one description for all tracks.
func (v *Viewer) present(presentation *dash.Presentation) {
	v.presentation = presentation
	for _, t := range v.tracks {
		before := t.list
		t.list = cmp.Or(presentation.Media(t.address.Fragment, time.Now()), before)
		if t.list == nil {
			v.fail(failure.New(failure.Signalling, protocol.CauseNotHLS, "%s lists a version of the stream without segments.", v.where()))
			return
		}
		if !presentation.IsTimed && (before == nil || !isSame(before, t.list)) {
			t.changedAt = v.now
		}
		if !t.isPlaced {
			t.place()
		}
	}
	first := v.tracks[0]
	wait := presentation.ReloadAfter
	if presentation.IsTimed {
		wait = first.list.TargetDuration / 2 // segments become available without a reload
	}
	if wait > 0 {
		first.reloadAt = v.now + int64(wait)
		v.group.schedule(v, first.reloadAt)
	}
}

// audioOf is a playlist without the versions of video, and of media the playlist itself.
func audioOf(list *playlist.Playlist) *playlist.Playlist {
	var renditions, variants []playlist.Variant
	for _, one := range list.Renditions {
		if one.Kind == "AUDIO" && one.URL != nil && (len(renditions) == 0 || one.IsDefault) {
			renditions = []playlist.Variant{{URL: one.URL}}
		}
	}
	smallest := -1
	for i := range list.Variants {
		if isAudioOnly(&list.Variants[i]) {
			variants = append(variants, list.Variants[i])
		}
		if smallest < 0 || list.Variants[i].BitrateBps < list.Variants[smallest].BitrateBps {
			smallest = i
		}
	}
	switch {
	case len(renditions) > 0:
		return &playlist.Playlist{Variants: renditions}
	case len(variants) > 0:
		return &playlist.Playlist{Variants: variants}
	case smallest >= 0:
		return &playlist.Playlist{Variants: list.Variants[smallest : smallest+1]}
	}
	return list
}

// separateAudio is the playlist of a variant's separate audio; nil without one.
func (v *Viewer) separateAudio(variant int) *url.URL {
	var address *url.URL
	for _, rendition := range v.master.Renditions {
		if rendition.Kind == "AUDIO" && rendition.Group == v.master.Variants[variant].AudioGroup && rendition.URL != nil &&
			(address == nil || rendition.IsDefault) {
			address = rendition.URL
		}
	}
	return address
}

// reload requests the playlist again.
func (t *track) reload() {
	t.reloadAt = 0
	if of := t.viewer.presentation; of != nil && of.IsTimed {
		t.viewer.present(of)
		return
	}
	t.reloading = &request{kind: ofPlaylist, track: t, target: t.reloadAddress()}
	t.viewer.send(t.reloading)
}

// update takes over a loaded playlist and schedules the next load (RFC 8216, 6.3.4).
func (t *track) update(list *playlist.Media, now int64) {
	isChanged := t.list == nil || !isSame(t.list, list)
	t.list = list
	if isChanged {
		t.changedAt = now
	}
	if !t.isPlaced {
		t.place()
	}
	isEmpty := list.Segments.Len() == 0
	if list.HasEnded && isEmpty {
		t.viewer.fail(failure.New(failure.Signalling, protocol.CauseNoMedia, "%s has ended and has no segments.", signalling.Describe(t.address)))
	}
	if list.HasEnded {
		return
	}
	wait := list.TargetDuration
	switch {
	case isEmpty: // the stream is starting
		wait = retryAfter
	case t.isLowLatency() && isChanged:
		wait = 0
	case !isChanged:
		wait /= 2
	}
	t.reloadAt = now + int64(wait)
	if wait > 0 {
		t.viewer.group.schedule(t.viewer, t.reloadAt)
	}
}

// isSame reports whether a playlist has nothing new.
func isSame(before, after *playlist.Media) bool {
	if before == after {
		return true
	}
	if before.Segments.Len() == 0 || after.Segments.Len() == 0 {
		return before.Segments.Len() == after.Segments.Len()
	}
	a, b := before.Segments.At(before.Segments.Len()-1), after.Segments.At(after.Segments.Len()-1)
	return a.Sequence == b.Sequence && len(a.Parts) == len(b.Parts) && a.IsOpen == b.IsOpen && before.HasEnded == after.HasEnded
}

// due does what was scheduled.
func (v *Viewer) due(now int64) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.now = max(v.now, now)
	v.proceed()
}

// proceed starts all requests that are possible now. The caller holds the mutex.
func (v *Viewer) proceed() {
	if v.disconnecting || v.failure != nil {
		return
	}
	for _, t := range v.tracks {
		if t.reloadAt != 0 && t.reloading == nil {
			if v.now >= t.reloadAt {
				t.reload()
			}
		}
		if t.list == nil || !t.isPlaced || t.fetching != nil || v.now < t.retryAt || t.ahead() > maxAhead {
			continue
		}
		if r := t.advance(); r != nil {
			t.fetching = r
			v.examine(r)
			v.send(r)
			v.setReady()
		}
	}
}

func (t *track) ahead() time.Duration {
	if t.isAudio {
		return t.viewer.player.AheadOfAudio()
	}
	return t.viewer.player.AheadOfVideo()
}

// examine decides whether this viewer looks into the segment.
func (v *Viewer) examine(r *request) {
	if r.kind != ofSegment || r.track.isAudio {
		return
	}
	of, should := v.group.segment(r.resource)
	r.known = of
	r.piece.Frames = &of.frames
	if should {
		r.scanner = content.NewScanner(r.track.init, r.cipher)
	}
}

// gotInit handles an initialization section.
func (v *Viewer) gotInit(r *request) {
	t := r.track
	t.fetching = nil
	defer r.release()
	data, err := r.body, error(nil)
	if r.cipher != nil {
		data, err = r.cipher.Decrypt(data)
	}
	var init *content.Init
	if err == nil {
		init, err = v.group.readInit(r.resource, data)
	}
	if err != nil {
		v.fail(failure.New(r.stage(), protocol.CauseNotMp4, "%s: %v.", signalling.Describe(r.target), err))
		return
	}
	v.countMedia(len(r.body))
	t.init, t.initKey = init, keyOf(r.resource)
	v.lastError = nil
	v.proceed()
}

// gotKey handles the key of the following segments.
func (v *Viewer) gotKey(r *request) {
	t := r.track
	t.fetching = nil
	defer r.release()
	if len(r.body) != content.KeyBytes {
		v.fail(failure.New(r.stage(), protocol.CauseNoKey, "%s returned %d bytes instead of a key of %d.", signalling.Describe(r.target),
			len(r.body), content.KeyBytes))
		return
	}
	t.keyURL = r.resource.URL.String()
	copy(t.key[:], r.body)
	v.lastError = nil
	v.proceed()
}

// gotSegment handles a complete segment or part.
func (v *Viewer) gotSegment(r *request) {
	t := r.track
	t.fetching, t.retryAt = nil, 0
	v.segments++
	v.lastError = nil
	v.rate.add(r.bytes, time.Duration(v.now-r.sentAt))
	if r.scanner != nil {
		content, err := r.scanner.Result()
		if err != nil {
			r.known.examiners.Add(-1)
			v.fail(failure.New(failure.FirstFrame, protocol.CauseNotMedia, "%s: %v.", signalling.Describe(r.target), err))
			return
		}
		v.lostBytes += uint64(content.LostBytes)
		if content.LostBytes > 0 && content.VideoFrames == 0 { // what describes its streams may be lost
			r.known.examiners.Add(-1)
		} else {
			r.known.codec.Store(content.Codec)
			r.known.frames.Store(int64(content.VideoFrames))
		}
	}
	if r.known != nil {
		if frames := r.known.frames.Load(); frames >= 0 {
			v.isExamined, v.hasVideo = true, v.hasVideo || frames > 0
		}
		if codec, isKnown := r.known.codec.Load().(string); isKnown && codec != "" {
			v.codec = codec
		}
	}
	t.next = r.piece.after
	t.played += r.piece.Duration
	if t.isAudio {
		v.player.AppendAudio(r.piece.Duration, v.now)
	} else {
		v.player.Append(r.piece.Piece, v.now)
		v.adapt(t)
	}
	v.proceed()
}

// adapt changes the variant when the bandwidth calls for another.
func (v *Viewer) adapt(t *track) {
	if v.master == nil || len(v.master.Variants) == 1 {
		return
	}
	best := choose(v.master.Variants, v.variant, v.rate.bps())
	if best == v.variant || t.next.part != 0 { // only between segments
		return
	}
	v.variant = best
	v.switches++
	if v.presentation != nil {
		t.address = v.master.Variants[best].URL
		t.list = v.presentation.Media(t.address.Fragment, time.Now())
		return
	}
	t.address, t.list, t.reloadAt = v.master.Variants[best].URL, nil, 0
	if t.reloading != nil {
		v.abandon(t.reloading)
		t.reloading.isOver, t.reloading.isDropped = true, true
		t.reloading.release()
		delete(v.requests, t.reloading)
	}
	t.reload()
}

// countMedia counts bytes of media.
func (v *Viewer) countMedia(count int) {
	v.media += uint64(count)
	v.lastMediaAt = v.now
	if v.firstMediaAt == 0 {
		v.firstMediaAt = v.now
	}
}

// replace puts a request in the place of one that it repeats.
func (v *Viewer) replace(r, by *request) {
	if t := r.track; t != nil {
		if t.fetching == r {
			t.fetching = by
		}
		if t.reloading == r {
			t.reloading = by
		}
	}
}

// requestFailed retries later, as players do; the first playlist and the first media must succeed at once. The caller
// holds the mutex.
func (v *Viewer) requestFailed(r *request, f *failure.Failure) {
	delete(v.requests, r)
	r.isOver = true
	r.release()
	if r.known != nil && r.scanner != nil {
		r.known.examiners.Add(-1)
	}
	if v.disconnecting || v.failure != nil {
		return
	}
	t := r.track
	if t == nil || v.firstMediaAt == 0 || t.list == nil && r.attempt >= maxAttempts {
		v.fail(f)
		return
	}
	v.failedRequests++
	v.lastError = f
	if failure.IsLocal(f.Cause) || f.Cause == protocol.CauseCrossOrigin || f.Cause == protocol.CauseNoRanges || f.Cause == protocol.CauseTooLarge {
		v.fail(f)
		return
	}
	at := v.now + int64(retryAfter)
	if t.reloading == r {
		t.reloading, t.reloadAt = nil, at
	}
	if t.fetching == r {
		t.fetching, t.retryAt = nil, at
		if t.attempts++; t.attempts >= maxAttempts && r.kind == ofSegment {
			t.attempts, t.next = 0, position{sequence: r.piece.after.sequence}
			if r.piece.after.part != 0 {
				t.next.sequence++
			}
			v.skipped++
			t.played += r.piece.Duration
		}
	}
	v.group.schedule(v, at)
}
