package hls

import (
	"encoding/binary"
	"net/url"
	"strconv"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/hls/content"
	"fullhouse/agent/internal/hls/playback"
	"fullhouse/agent/internal/hls/playlist"
	"fullhouse/agent/internal/protocol"
)

const (
	// holdBackTargets is how many target durations before the end playback of a live stream starts (RFC 8216, 6.3.3);
	// holdBackParts the same in parts.
	holdBackTargets = 3
	holdBackParts   = 3
	// maxAhead is how much a player buffers.
	maxAhead = 30 * time.Second
	// maxAttempts of one request, retryAfter apart.
	maxAttempts = 3
	retryAfter  = time.Second
	// minRecording is the shortest recording that is played again and again.
	minRecording = 100 * time.Millisecond
)

// track is a playlist that is played: the video with its audio, or separate audio. The viewer's mutex guards it.
type track struct {
	viewer  *Viewer
	isAudio bool
	address *url.URL
	list    *playlist.Media // nil before the first
	// changedAt is when the playlist last had something new.
	changedAt int64
	reloadAt  int64 // 0 while it is being loaded, and never once it has ended
	retryAt   int64 // of media, 0 unless a request failed
	attempts  int   // failed requests of what is next
	reloading *request
	fetching  *request
	next      position
	isPlaced  bool // next is valid
	// played is the media that was requested since the start of a recording.
	played  time.Duration
	initKey string
	init    *content.Init
	keyURL  string
	key     [content.KeyBytes]byte // the latest key, of keyURL
}

// position is what is fetched next.
type position struct {
	sequence int64
	part     int
}

// piece is what a request of media fetches.
type piece struct {
	playback.Piece
	after position
	// attempt counts failed requests of the same piece.
	isHint bool
}

// place finds where playback starts.
func (t *track) place() {
	segments := t.list.Segments
	if segments.Len() == 0 {
		return
	}
	t.isPlaced = true
	t.next = position{sequence: segments.Sequence(0)}
	if t.list.HasEnded {
		return
	}
	if t.isLowLatency() {
		t.placeByParts()
		return
	}
	hold := t.list.HoldBack
	if hold == 0 {
		hold = holdBackTargets * t.list.TargetDuration
	}
	var behind time.Duration
	for i := segments.Len() - 1; i >= 0; i-- {
		if behind += segments.Duration(i); behind >= hold {
			t.next.sequence = segments.Sequence(i)
			return
		}
	}
}

func (t *track) isLowLatency() bool { return t.list.PartTarget > 0 && t.list.CanBlockReload }

func (t *track) placeByParts() {
	hold := t.list.PartHoldBack
	if hold == 0 {
		hold = holdBackParts * t.list.PartTarget
	}
	segments := t.list.Segments
	var behind time.Duration
	for i := segments.Len() - 1; i >= 0; i-- {
		segment := segments.At(i)
		if len(segment.Parts) == 0 {
			t.next = position{sequence: segment.Sequence}
			return
		}
		for j := len(segment.Parts) - 1; j >= 0; j-- {
			behind += segment.Parts[j].Duration
			if behind >= hold && (segment.Parts[j].IsIndependent || t.isAudio) {
				t.next = position{segment.Sequence, j}
				return
			}
		}
	}
}

// find returns a segment by its number; nil if the playlist lacks it.
func (t *track) find(sequence int64) *playlist.Segment {
	segments := t.list.Segments
	if segments.Len() == 0 {
		return nil
	}
	// Numbers are consecutive.
	if at := sequence - segments.Sequence(0); at >= 0 && at < int64(segments.Len()) {
		return segments.At(int(at))
	}
	return nil
}

// advance makes the request of what is next; nil if it is not in the playlist yet.
func (t *track) advance() *request {
	segments := t.list.Segments
	if segments.Len() == 0 {
		return nil
	}
	first, last := segments.Sequence(0), segments.Sequence(segments.Len()-1)
	for {
		if t.next.sequence < first { // it was removed: the viewer fell behind
			t.viewer.skipped += uint64(first - t.next.sequence)
			t.place()
		}
		if t.next.sequence > last+1 && !t.list.HasEnded { // the server has started again
			t.place()
		}
		if t.next.sequence > last && t.list.HasEnded {
			if f := t.restart(first); f != nil {
				t.viewer.fail(f)
				return nil
			}
		}
		segment := t.find(t.next.sequence)
		if segment == nil {
			return t.hinted(segments.At(segments.Len() - 1))
		}
		if segment.IsGap {
			t.next = position{sequence: segment.Sequence + 1}
			continue
		}
		if t.next.part == 0 && !segment.IsOpen && (!t.isLowLatency() || len(segment.Parts) == 0) {
			return t.request(segment, segment.Resource, segment.Duration, timeOf(segment, 0), position{sequence: segment.Sequence + 1})
		}
		if t.next.part < len(segment.Parts) {
			part := &segment.Parts[t.next.part]
			after := position{segment.Sequence, t.next.part + 1}
			if part.IsGap {
				t.next = after
				continue
			}
			return t.request(segment, part.Resource, part.Duration, timeOf(segment, t.next.part), after)
		}
		if segment.IsOpen {
			return t.hinted(segment)
		}
		t.next = position{sequence: segment.Sequence + 1}
	}
}

// restart plays a recording again. One without media, or of nearly no length, would be requested without a pause.
func (t *track) restart(first int64) *failure.Failure {
	if t.played < minRecording {
		return failure.New(failure.Media, protocol.CauseNoMedia, "%s is a recording with %s of media; viewers need at least %s.", t.viewer.where(), t.played, minRecording)
	}
	t.next, t.played = position{sequence: first}, 0
	return nil
}

// hinted requests the part that the server announces, before it exists.
func (t *track) hinted(last *playlist.Segment) *request {
	hint := t.list.Hint
	if hint == nil || !t.isLowLatency() {
		return nil
	}
	number := position{sequence: last.Sequence + 1}
	if last.IsOpen {
		number = position{last.Sequence, len(last.Parts)}
	}
	if t.next != number {
		return nil
	}
	var at int64
	if last.IsOpen {
		at = timeOf(last, len(last.Parts))
	}
	r := t.request(last, hint.Resource, t.list.PartTarget, at, position{number.sequence, number.part + 1})
	r.piece.isHint = true
	return r
}

func timeOf(segment *playlist.Segment, part int) int64 {
	if segment.At.IsZero() {
		return 0
	}
	at := segment.At.UnixNano()
	for i := range segment.Parts[:min(part, len(segment.Parts))] {
		at += int64(segment.Parts[i].Duration)
	}
	return at
}

func (t *track) request(segment *playlist.Segment, resource playlist.Resource, duration time.Duration, at int64, after position) *request {
	r := &request{kind: ofSegment, track: t, target: resource.URL, resource: resource,
		piece: piece{Piece: playback.Piece{Duration: duration, At: at}, after: after}}
	key := segment.Key
	if segment.Map != nil && keyOf(*segment.Map) != t.initKey {
		r = &request{kind: ofInit, track: t, target: segment.Map.URL, resource: *segment.Map}
		key = segment.MapKey
	}
	if key == nil {
		return r
	}
	if key.URL.String() != t.keyURL {
		return &request{kind: ofKey, track: t, target: key.URL, resource: playlist.Resource{URL: key.URL}}
	}
	r.cipher = &content.Cipher{Key: t.key}
	if key.IV != nil {
		copy(r.cipher.IV[:], key.IV)
	} else { // RFC 8216, 5.2
		binary.BigEndian.PutUint64(r.cipher.IV[content.KeyBytes-8:], uint64(segment.Sequence))
	}
	return r
}

// reloadAddress is where the playlist is loaded again; a blocking reload names what it waits for (RFC 8216bis,
// 6.2.5.2).
func (t *track) reloadAddress() *url.URL {
	if t.list == nil || !t.isLowLatency() || t.list.Segments.Len() == 0 {
		return t.address
	}
	last := t.list.Segments.At(t.list.Segments.Len() - 1)
	sequence, part := last.Sequence+1, 0
	if last.IsOpen {
		sequence, part = last.Sequence, len(last.Parts)
	}
	target := *t.address
	query := target.Query()
	query.Set("_HLS_msn", strconv.FormatInt(sequence, 10))
	query.Set("_HLS_part", strconv.Itoa(part))
	target.RawQuery = query.Encode()
	return &target
}
