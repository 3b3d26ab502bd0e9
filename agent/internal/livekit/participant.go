package livekit

import (
	"net/url"
	"slices"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/whep"
)

// PublishedTrack is a track that a participant publishes.
type PublishedTrack struct {
	// Name is that of the track in the offer.
	Name  string
	Audio bool
	// Codec is that of a video, as in SDP, with its size in pixels and its rate.
	Codec         string
	Width, Height int
	BitsPerSecond int
	// Smaller are the further layers of simulcast, the largest first.
	Smaller []*media.Sample
}

// The sources of published tracks.
const (
	camera     = 1
	microphone = 2
)

// highQuality is the quality of a video without simulcast; layers have those from 0 on, the smallest first.
const highQuality = 2

// NewParticipants makes a signaller for each token of participants that publish these tracks, if any, and receive those
// of all others in their room.
func NewParticipants(signaller *signalling.Client, server *url.URL, tokens []string, published []PublishedTrack) *Signallers {
	d := NewSignallers(signaller, server, tokens, Options{})
	d.endpoint.RawQuery = url.Values{"join_request": {joinRequest(autoSubscription)}}.Encode()
	d.participate, d.published = true, published
	return d
}

// NewPublishers makes a signaller for each token of participants that only publish these tracks.
func NewPublishers(signaller *signalling.Client, server *url.URL, tokens []string, published []PublishedTrack, options Options) *Signallers {
	d := NewSignallers(signaller, server, tokens, options)
	d.participate, d.published = true, published
	return d
}

// TracksOf are the tracks of a sample, and of its smaller layers if there are any, named like its streams.
func TracksOf(sample *media.Sample, smaller ...*media.Sample) []PublishedTrack {
	var tracks []PublishedTrack
	if sample.HasAudio() {
		tracks = append(tracks, PublishedTrack{Name: media.Audio.String(), Audio: true})
	}
	return append(tracks, PublishedTrack{Name: media.Video.String(), Codec: sample.Codec.String(), Width: sample.Width, Height: sample.Height,
		BitsPerSecond: bitsPerSecond(sample), Smaller: smaller})
}

func bitsPerSecond(sample *media.Sample) int {
	kilobits, _ := sample.Rate()
	return int(1000 * kilobits)
}

// participation is the part of a session that viewers do not have.
type participation struct {
	self   string // our identity
	others roster
	// offers is the number of the latest; pending until it is answered.
	offers    int
	isPending bool
	// wantsOffer: the server requested another offer, with as many more sections as audios and videos. Without any, it
	// has assigned tracks to sections that it knows, and needs an offer to say so in its answer.
	wantsOffer     bool
	audios, videos uint64
}

// takePart handles a message of the server to a participant, and returns why the session can't go on. The caller holds
// the mutex.
func (r *room) takePart(message response) (f *failure.Failure) {
	p, handler := r.participation, r.handler.(whep.ParticipantHandler)
	switch {
	case message.joined != nil && r.step == joining:
		r.step, p.self = offering, message.joined.self
		r.sendPing(message.joined.pingInterval)
		for _, one := range r.signallers.published {
			r.outbox = append(r.outbox, addTrackRequest(one))
		}
		r.sendOffer(r.offer)
		r.offer = ""
		f = r.updateOthers(message.joined.participants, handler)
	case message.watched != nil && r.signallers.options.Dynacast:
		handler.OnWatched(message.watched)
	case message.update != nil:
		f = r.updateOthers(message.update, handler)
	case message.wantsOffer != nil:
		p.wantsOffer = true
		p.audios += message.wantsOffer.audios
		p.videos += message.wantsOffer.videos
	case message.answer != "" && p.isPending:
		p.isPending = false
		if r.step == offering {
			r.step, r.answer = entered, message.answer
			close(r.settled)
		}
		handler.OnAnswer(message.answer)
	}
	if r.step == entered && !p.isPending && p.wantsOffer {
		r.sendOffer(handler.OnSections(int(p.audios), int(p.videos)))
		p.wantsOffer, p.audios, p.videos = false, 0, 0
	}
	return f
}

func (r *room) sendOffer(offer string) {
	r.participation.offers++
	r.participation.isPending = true
	r.outbox = append(r.outbox, offerRequest(offer, r.participation.offers))
}

// updateOthers follows who publishes what. The caller holds the mutex.
func (r *room) updateOthers(participants []participant, handler whep.ParticipantHandler) *failure.Failure {
	p := r.participation
	others := slices.DeleteFunc(participants, func(one participant) bool { return one.identity == p.self })
	if err := p.others.update(others); err != nil {
		return r.tooLarge(err)
	}
	var names []string
	for _, one := range p.others.list {
		for _, t := range one.tracks {
			if t.kind == videoTrack {
				names = append(names, t.sid)
			}
		}
	}
	slices.Sort(names)
	handler.OnPublished(names)
	return nil
}

func addTrackRequest(t PublishedTrack) []byte {
	request := appendBytes(appendBytes(nil, 1, t.Name), 2, t.Name)
	if t.Audio {
		return appendBytes(nil, 4, appendNumber(appendNumber(request, 3, audioTrack), 8, microphone))
	}
	request = appendNumber(appendNumber(appendNumber(request, 3, videoTrack), 4, uint64(t.Width)), 5, uint64(t.Height))
	var layers [][]byte
	for i, smaller := range slices.Backward(t.Smaller) {
		layers = append(layers, videoLayer(len(t.Smaller)-1-i, smaller.Width, smaller.Height, bitsPerSecond(smaller)))
	}
	quality := highQuality
	if len(layers) > 0 {
		quality = len(layers)
	}
	layers = append(layers, videoLayer(quality, t.Width, t.Height, t.BitsPerSecond))
	request = appendNumber(request, 8, camera)
	codec := appendBytes(appendBytes(nil, 1, t.Codec), 2, t.Name)
	for _, layer := range layers {
		request, codec = appendBytes(request, 9, layer), appendBytes(codec, 4, layer)
	}
	return appendBytes(nil, 4, appendBytes(request, 10, codec))
}

func videoLayer(quality, width, height, bitsPerSecond int) []byte {
	return appendNumber(appendNumber(appendNumber(appendNumber(nil, 1, uint64(quality)), 2, uint64(width)), 3, uint64(height)), 4, uint64(bitsPerSecond))
}
