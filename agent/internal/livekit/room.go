// Package livekit is a viewer's signalling in a LiveKit room: over WebSocket, with one connection for all media, which
// servers support since 1.9.1. The viewer offers, the server answers, and the rest is the same as in WHEP.
package livekit

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/whep"
)

const (
	// usualPing is the ping interval if the server does not set one.
	usualPing = 5 * time.Second
	// sendTimeout is how long sending a message may take.
	sendTimeout = 5 * time.Second
)

// Signallers are the signallers of the viewers of one room, each with its own token: two participants of the same
// identity would disconnect each other.
type Signallers struct {
	signaller *signalling.Client
	endpoint  *url.URL
	tokens    []string
	taken     atomic.Int64
	options   Options
	// participate: those that publish, or that receive several videos; each publishes these tracks.
	participate bool
	published   []PublishedTrack
}

// Options are what all viewers of a room request.
type Options struct {
	// AudioOnly subscribes to audio without video.
	AudioOnly bool
	// Participant is the identity of the one to watch; empty for the first that publishes a video.
	Participant string
	// Dynacast: a publisher sends only the layers that the server says anyone subscribes to.
	Dynacast bool
	// Width and Height are of the element that would show the video: the server sends the smallest layer that fills it
	// (adaptive stream). 0 for the largest layer.
	Width, Height int
}

// NewSignallers makes a signaller for each token. The address is that of the server; its path, if any, precedes
// LiveKit's.
func NewSignallers(signaller *signalling.Client, server *url.URL, tokens []string, options Options) *Signallers {
	endpoint := server.JoinPath("rtc", "v1")
	endpoint.RawQuery = url.Values{"join_request": {joinRequest(explicitSubscriptions)}}.Encode()
	return &Signallers{options: options, signaller: signaller, endpoint: endpoint, tokens: tokens}
}

// Next is the signaller of the next viewer.
func (d *Signallers) Next() whep.Signaller {
	token := ""
	if i := int(d.taken.Add(1)) - 1; i < len(d.tokens) {
		token = d.tokens[i]
	}
	return d.withToken(token)
}

// Again is the signaller of the same participant.
func (r *room) Again() whep.Signaller { return r.signallers.withToken(r.token) }

func (d *Signallers) withToken(token string) *room {
	r := &room{signallers: d, token: token, left: make(chan struct{}), settled: make(chan struct{})}
	if d.participate {
		r.participation = &participation{}
	}
	return r
}

// step is what the viewer waits for next.
type step int

const (
	joining step = iota
	choosing
	subscribing
	offering
	entered
)

// room is one viewer's session in the room.
type room struct {
	signallers *Signallers
	token      string
	handler    whep.SessionHandler
	offer      string

	connection *websocket.Conn
	left       chan struct{} // closed when nothing more is received from the server

	mutex         sync.Mutex
	step          step
	seen          roster   // while choosing
	chosen        []string // track ids
	layers        int      // of the chosen video
	answer        string
	settings      []byte // to send after the answer
	problem       *failure.Failure
	settled       chan struct{} // closed on an answer or a problem
	ping          *time.Timer
	disconnecting bool
	participation *participation // nil for a viewer
	outbox        [][]byte       // of a participant: what to send next
}

// Exchange joins, subscribes to one participant's video and audio, and exchanges the offer.
func (r *room) Exchange(ctx context.Context, offer string, handler whep.SessionHandler) (string, *failure.Failure) {
	r.offer, r.handler = offer, handler
	startTime := time.Now()
	connection, f := r.signallers.signaller.OpenWebSocket(ctx, r.signallers.endpoint, r.token)
	if f != nil {
		return "", explained(f)
	}
	r.mutex.Lock()
	r.connection = connection
	r.mutex.Unlock()
	go r.listen()
	select {
	case <-r.settled:
	case <-ctx.Done():
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	switch {
	case r.step == entered:
		return r.answer, nil // the handler is informed of what has happened since
	case r.problem != nil:
		return "", r.problem
	case errors.Is(ctx.Err(), context.Canceled):
		return "", failure.New(failure.Signalling, protocol.CauseCancelled, "Joining the room was cancelled after %s.", failure.Elapsed(startTime))
	}
	return "", r.timedOut(failure.Elapsed(startTime))
}

// timedOut reports what is missing. The caller holds the mutex.
func (r *room) timedOut(elapsed time.Duration) *failure.Failure {
	host := r.signallers.endpoint.Host
	switch r.step {
	case joining:
		return failure.New(failure.Signalling, protocol.CauseTimeout, "%s accepted the WebSocket, but did not let the viewer join within %s.", host, elapsed)
	case choosing:
		options, by := r.signallers.options, ""
		if options.Participant != "" {
			by = " by " + failure.Excerpt(options.Participant)
		}
		if options.AudioOnly {
			return failure.New(failure.Signalling, protocol.CauseNoPublisher, "No audio was published in the room%s within %s; other participants: %d.", by, elapsed, len(r.seen.list))
		}
		if mime := otherVideo(r.seen.list); mime != "" {
			return failure.New(failure.Signalling, protocol.CauseNoCodec, "The room's video is %s, which viewers do not support.", failure.Excerpt(mime))
		}
		hint := ""
		options.AudioOnly = true
		if sids, _ := pick(r.seen.list, options); len(sids) > 0 {
			hint = " There is audio: for a room without video use tracks: audio."
		}
		return failure.New(failure.Signalling, protocol.CauseNoPublisher, "No video was published in the room%s within %s; other participants: %d.%s", by, elapsed, len(r.seen.list), hint)
	case subscribing:
		return failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not request an offer within %s, although the viewer subscribed to %d tracks.", host, elapsed, len(r.chosen))
	}
	return failure.New(failure.Signalling, protocol.CauseTimeout, "%s did not answer the offer within %s.", host, elapsed)
}

// explained adds the usual reason for some refusals of LiveKit.
func explained(f *failure.Failure) *failure.Failure {
	switch f.Cause {
	case protocol.HTTPCause(404):
		f.Detail += " LiveKit serves this address since 1.9.1; older versions are not supported."
	case protocol.HTTPCause(500):
		f.Detail += " A possible reason is that the room has reached max_participants. See LiveKit's log."
	}
	return f
}

// listen handles the server's messages until the connection ends.
func (r *room) listen() {
	defer close(r.left)
	for {
		_, data, err := r.connection.Read(context.Background())
		if err != nil {
			r.end(failure.New(r.stage(), protocol.CauseClosed, "The server closed the WebSocket of the room's signalling (%s).", failure.Excerpt(plain(err))))
			_ = r.connection.CloseNow()
			return
		}
		message, err := parseResponse(data)
		if err != nil {
			r.end(failure.New(r.stage(), protocol.CauseNotLiveKit, "The server's message is not a LiveKit message: %v.", err))
			_ = r.connection.CloseNow()
			return
		}
		if message.candidate != "" {
			r.handler.OnCandidate(message.candidate)
		}
		if message.joined != nil && len(message.joined.iceServers) > 0 {
			r.handler.OnICEServers(message.joined.iceServers)
		}
		r.mutex.Lock()
		var reply []byte
		var f *failure.Failure
		if r.participation != nil {
			f = r.takePart(message)
		} else {
			reply = r.take(message)
		}
		outbox := r.outbox
		r.outbox = nil
		r.mutex.Unlock()
		if f != nil {
			r.end(f)
			_ = r.connection.CloseNow()
			return
		}
		for _, one := range outbox {
			r.send(one)
		}
		if reply != nil {
			r.send(reply)
		}
		if message.leave != nil {
			r.end(failure.New(r.stage(), protocol.LeftCause(int(message.leave.reason)), "The server disconnected the viewer: %s.", disconnectReason(message.leave.reason)))
		}
	}
}

// take handles a message of the server, and returns the request to send. The caller holds the mutex.
func (r *room) take(message response) []byte {
	switch {
	case message.joined != nil && r.step == joining:
		r.step = choosing
		r.sendPing(message.joined.pingInterval)
		return r.choose(message.joined.participants)
	case message.update != nil && r.step == choosing:
		return r.choose(message.update)
	case message.wantsOffer != nil && r.step == subscribing && r.isComplete(*message.wantsOffer):
		r.step = offering
		offer := r.offer
		r.offer = ""
		return offerRequest(offer, 1)
	case message.answer != "" && r.step == offering:
		r.step, r.answer, r.seen = entered, message.answer, roster{}
		close(r.settled)
		return r.settings
	case message.refused != nil && message.refused.sid != "" && r.step < entered:
		r.fail(failure.New(failure.Signalling, protocol.CauseNotSubscribed, "The server refused the subscription to track %s (%s).", failure.Excerpt(message.refused.sid), refusedReason(message.refused.reason)))
	}
	return nil
}

// isComplete reports whether a requested offer has the section that matters: the server may request one for each track.
func (r *room) isComplete(expected sections) bool {
	return expected.videos > 0 || r.signallers.options.AudioOnly && expected.audios > 0
}

// choose subscribes to the first participant that publishes what viewers watch.
func (r *room) choose(participants []participant) []byte {
	if err := r.seen.update(participants); err != nil {
		r.fail(r.tooLarge(err))
		return nil
	}
	if r.chosen, r.layers = pick(r.seen.list, r.signallers.options); len(r.chosen) == 0 {
		return nil
	}
	r.step = subscribing
	request := subscribeRequest(r.chosen)
	if width, height := r.signallers.options.Width, r.signallers.options.Height; width > 0 {
		r.settings = settingsRequest(r.chosen[0], width, height)
	}
	return request
}

// tooLarge is the failure of a room with more than a viewer keeps.
func (r *room) tooLarge(err error) *failure.Failure {
	return failure.New(failure.Signalling, protocol.CauseRoomTooLarge, "%s: %v.", r.signallers.endpoint.Host, err)
}

// HasLayers reports whether the video is published in several sizes.
func (r *room) HasLayers() bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.layers > 1
}

// sendPing sends a keep-alive ping at the server's interval.
func (r *room) sendPing(interval time.Duration) {
	if interval <= 0 {
		interval = usualPing
	}
	var again func()
	again = func() {
		r.mutex.Lock()
		over := r.disconnecting || r.problem != nil
		if !over {
			r.ping = time.AfterFunc(interval, again)
		}
		r.mutex.Unlock()
		if !over {
			r.send(pingRequest(time.Now()))
		}
	}
	r.ping = time.AfterFunc(interval, again)
}

// send leaves it to the reader to notice a closed connection.
func (r *room) send(message []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
	defer cancel()
	_ = r.connection.Write(ctx, websocket.MessageBinary, message)
}
