// Package livekit is the way of a viewer into a room of LiveKit: its signalling by WebSocket, with one connection for all media, which
// servers since 1.9.1 have. The viewer offers, the server answers, and all that follows is the same as by WHEP.
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
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/whep"
)

const (
	// usualPing is how often a participant is heard of when the server does not say how often it wants to.
	usualPing = 5 * time.Second
	// sendPatience is how long a message may take to the network.
	sendPatience = 5 * time.Second
)

// Doors lead viewers into one room, each with a token of its own: two participants of the same identity would send each other away.
type Doors struct {
	signaller *signalling.Signaller
	endpoint  *url.URL
	tokens    []string
	taken     atomic.Int64
}

// NewDoors makes doors for as many viewers as there are tokens. The address is that of the server; its path, if any, comes before LiveKit's.
func NewDoors(signaller *signalling.Signaller, server *url.URL, tokens []string) *Doors {
	endpoint := server.JoinPath("rtc", "v1")
	endpoint.RawQuery = url.Values{"join_request": {joinRequest()}}.Encode()
	return &Doors{signaller: signaller, endpoint: endpoint, tokens: tokens}
}

// Next is the door of the next viewer.
func (d *Doors) Next() whep.Door {
	r := &room{doors: d, left: make(chan struct{}), settled: make(chan struct{})}
	if i := int(d.taken.Add(1)) - 1; i < len(d.tokens) {
		r.token = d.tokens[i]
	}
	return r
}

// step is what is waited for next.
type step int

const (
	joining step = iota
	choosing
	subscribing
	offering
	entered
)

// room is one viewer's place in the room.
type room struct {
	doors *Doors
	token string
	guest whep.Guest
	offer string

	connection *websocket.Conn
	left       chan struct{} // closed when nothing more comes from the server

	mutex   sync.Mutex
	step    step
	seen    map[string]participant // by identity, while choosing
	chosen  []string               // track ids
	answer  string
	problem *failure.Failure
	settled chan struct{} // closed when there is an answer or a problem
	ping    *time.Timer
	leaving bool
}

// Enter joins, subscribes to one participant's picture and sound, and exchanges the offer.
func (r *room) Enter(ctx context.Context, offer string, guest whep.Guest) (string, *failure.Failure) {
	r.offer, r.guest = offer, guest
	began := time.Now()
	connection, f := r.doors.signaller.OpenWebSocket(ctx, r.doors.endpoint, r.token)
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
		return r.answer, nil // what has happened since, the guest is told
	case r.problem != nil:
		return "", r.problem
	case errors.Is(ctx.Err(), context.Canceled):
		return "", failure.New(failure.Signalling, "cancelled", "The way into the room was given up after %s.", failure.Elapsed(began))
	}
	return "", r.timedOut(failure.Elapsed(began))
}

// timedOut says what did not come. The caller holds the mutex.
func (r *room) timedOut(elapsed time.Duration) *failure.Failure {
	host := r.doors.endpoint.Host
	switch r.step {
	case joining:
		return failure.New(failure.Signalling, "timeout", "%s took the WebSocket, but did not let the viewer join within %s.", host, elapsed)
	case choosing:
		if mime := otherVideo(r.seen); mime != "" {
			return failure.New(failure.Signalling, "no-h264", "The room's picture is %s, and these viewers take H.264 only.", failure.Excerpt(mime))
		}
		return failure.New(failure.Signalling, "no-publisher", "Nobody published a picture in the room within %s; %d others are in it.", elapsed, len(r.seen))
	case subscribing:
		return failure.New(failure.Signalling, "timeout", "%s did not ask for an offer within %s, though the viewer subscribed to %d tracks.", host, elapsed, len(r.chosen))
	}
	return failure.New(failure.Signalling, "timeout", "%s did not answer the offer within %s.", host, elapsed)
}

// explained adds what LiveKit means by some refusals.
func explained(f *failure.Failure) *failure.Failure {
	switch f.Cause {
	case "http-404":
		f.Detail += " LiveKit has this address since 1.9.1; an older one can't be watched by these viewers."
	case "http-500":
		f.Detail += " LiveKit answers so when the room has all the participants that it may have (max_participants), among other things; its log says why."
	}
	return f
}

// listen takes what the server says until it says no more.
func (r *room) listen() {
	defer close(r.left)
	for {
		_, data, err := r.connection.Read(context.Background())
		if err != nil {
			r.end(failure.New(r.stage(), "closed", "The server closed the WebSocket of the room's signalling (%s).", failure.Excerpt(plain(err))))
			_ = r.connection.CloseNow()
			return
		}
		message, err := parseResponse(data)
		if err != nil {
			r.end(failure.New(r.stage(), "not-livekit", "The server's message is none of LiveKit's: %v.", err))
			_ = r.connection.CloseNow()
			return
		}
		if message.candidate != "" {
			r.guest.Candidate(message.candidate)
		}
		r.mutex.Lock()
		reply := r.take(message)
		r.mutex.Unlock()
		if reply != nil {
			r.send(reply)
		}
		if message.leave != nil {
			r.end(failure.New(r.stage(), "left-"+leaveReason(message.leave.reason).cause, "The server sent the viewer out of the room: %s.", leaveReason(message.leave.reason).words))
		}
	}
}

// take goes on by what the server said, and returns what is to be answered. The caller holds the mutex.
func (r *room) take(message response) (reply []byte) {
	switch {
	case message.joined != nil && r.step == joining:
		r.step, r.seen = choosing, map[string]participant{}
		r.beat(message.joined.pingInterval)
		return r.choose(message.joined.participants)
	case message.update != nil && r.step == choosing:
		return r.choose(message.update)
	case message.wantsOffer != nil && r.step == subscribing && message.wantsOffer.videos > 0:
		r.step = offering
		offer := r.offer
		r.offer = ""
		return offerRequest(offer)
	case message.answer != "" && r.step == offering:
		r.step, r.answer, r.seen = entered, message.answer, nil
		close(r.settled)
	case message.refused != nil && message.refused.sid != "" && r.step < entered:
		r.fail(failure.New(failure.Signalling, "not-subscribed", "The server does not let the viewer have the track %s (%s).", failure.Excerpt(message.refused.sid), refusedReason(message.refused.reason)))
	}
	return nil
}

// choose subscribes to the first who publishes H.264.
func (r *room) choose(participants []participant) []byte {
	for _, one := range participants {
		if r.seen[one.identity] = one; one.gone {
			delete(r.seen, one.identity)
		}
	}
	if r.chosen = pick(r.seen); len(r.chosen) == 0 {
		return nil
	}
	r.step = subscribing
	return subscribeRequest(r.chosen)
}

// beat says every now and then that the viewer is still there.
func (r *room) beat(interval time.Duration) {
	if interval <= 0 {
		interval = usualPing
	}
	var again func()
	again = func() {
		r.mutex.Lock()
		over := r.leaving || r.problem != nil
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

// send leaves it to the reader to notice that a connection is gone.
func (r *room) send(message []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), sendPatience)
	defer cancel()
	_ = r.connection.Write(ctx, websocket.MessageBinary, message)
}
