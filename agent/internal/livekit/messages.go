package livekit

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/signalling"
)

// protocolVersion is the supported version of the signalling.
const protocolVersion = 16

const (
	// maxEntries bounds the participants, tracks and addresses of a message.
	maxEntries = 20_000
	// entries is what a message has too much of, in sentences.
	entries = "participants and tracks"
)

// clientInitiated is the reason of a participant's own leave request.
const clientInitiated = 1

// disconnected is the state of a participant that has left.
const disconnected = 3

// The kinds of a track.
const (
	audioTrack = 0
	videoTrack = 1
)

// track is what a participant publishes.
type track struct {
	sid  string
	kind uint64
	mime string // such as video/H264
	// layers is how many sizes of a simulcast or scalable video are published.
	layers int
}

// participant is a participant of the room.
type participant struct {
	identity string
	joinedAt uint64 // seconds
	gone     bool
	tracks   []track
}

// response is one message of a server; only one of these is set.
type response struct {
	joined *joined
	answer string
	// candidate is an ICE candidate of the server, as in SDP.
	candidate string
	update    []participant
	// wantsOffer is how many audio and video sections an offer must have for the subscribed tracks.
	wantsOffer *sections
	// watched are the layers of our video that anyone subscribes to, from the smallest; nil in other messages.
	watched []bool
	refused *refusedTrack
	leave   *leave
}

type joined struct {
	self         string // the identity
	participants []participant
	pingInterval time.Duration
	// iceServers has an entry for each address.
	iceServers []signalling.ICEServer
}

type sections struct{ audios, videos uint64 }

type refusedTrack struct {
	sid    string
	reason uint64
}

type leave struct{ reason uint64 }

// parseResponse parses a message of the server. An unused kind is an empty response.
func parseResponse(data []byte) (response, error) {
	var r response
	left := budget.New("the message", maxRoster, maxEntries, "")
	err := fields(data, func(f field) (err error) {
		switch f.id {
		case 1:
			r.joined, err = parseJoined(f.bytes, left)
		case 2:
			r.answer, err = parseDescription(f.bytes)
		case 4:
			r.candidate, err = parseTrickle(f.bytes)
		case 5:
			r.update, err = parseParticipants(f.bytes, 1, left)
		case 8:
			r.leave = &leave{}
			err = fields(f.bytes, func(f field) error {
				if f.id == 2 {
					r.leave.reason = f.number
				}
				return nil
			})
		case 14:
			r.watched, err = parseQualities(f.bytes)
		case 21:
			r.refused, err = parseSubscription(f.bytes)
		case 25:
			r.wantsOffer = &sections{}
			err = fields(f.bytes, func(f field) error {
				switch f.id {
				case 1:
					r.wantsOffer.audios = f.number
				case 2:
					r.wantsOffer.videos = f.number
				}
				return nil
			})
		}
		return err
	})
	return r, err
}

func parseJoined(data []byte, left *budget.Budget) (*joined, error) {
	participants, err := parseParticipants(data, 3, left)
	j := &joined{participants: participants}
	if err != nil {
		return nil, err
	}
	return j, fields(data, func(f field) error {
		switch {
		case f.id == 2:
			self, err := parseParticipant(f.bytes, left)
			j.self = self.identity
			return err
		case f.id == 5:
			listed, err := parseICEServer(f.bytes, left)
			j.iceServers = append(j.iceServers, listed...)
			return err
		case f.id == 11 && f.number < 3600:
			j.pingInterval = time.Duration(f.number) * time.Second
		}
		return nil
	})
}

// parseICEServer parses a STUN or TURN server with its addresses.
func parseICEServer(data []byte, left *budget.Budget) ([]signalling.ICEServer, error) {
	var addresses []string
	var username, credential string
	err := fields(data, func(f field) error {
		switch f.id {
		case 1:
			if err := left.Entries(entries, 1); err != nil {
				return err
			}
			addresses = append(addresses, f.text())
		case 2:
			username = f.text()
		case 3:
			credential = f.text()
		}
		return nil
	})
	var listed []signalling.ICEServer
	for _, address := range addresses {
		listed = append(listed, signalling.ICEServer{URL: address, Username: username, Credential: credential})
	}
	return listed, err
}

// parseParticipants parses the participants in the field with this number.
func parseParticipants(data []byte, id int, left *budget.Budget) ([]participant, error) {
	var participants []participant
	err := fields(data, func(f field) error {
		if f.id != id {
			return nil
		}
		one, err := parseParticipant(f.bytes, left)
		participants = append(participants, one)
		return err
	})
	return participants, err
}

func parseParticipant(data []byte, left *budget.Budget) (participant, error) {
	var p participant
	if err := left.Entries(entries, 1); err != nil {
		return p, err
	}
	err := fields(data, func(f field) error {
		switch f.id {
		case 2:
			p.identity = f.text()
		case 3:
			p.gone = f.number == disconnected
		case 4:
			if err := left.Entries(entries, 1); err != nil {
				return err
			}
			one, err := parseTrack(f.bytes)
			p.tracks = append(p.tracks, one)
			return err
		case 6:
			p.joinedAt = f.number
		}
		return nil
	})
	return p, err
}

func parseTrack(data []byte) (track, error) {
	var t track
	err := fields(data, func(f field) error {
		switch f.id {
		case 1:
			t.sid = f.text()
		case 2:
			t.kind = f.number
		case 10:
			t.layers++
		case 11:
			t.mime = f.text()
		}
		return nil
	})
	return t, err
}

func parseDescription(data []byte) (sdp string, err error) {
	err = fields(data, func(f field) error {
		if f.id == 2 {
			sdp = f.text()
		}
		return nil
	})
	return sdp, err
}

// parseTrickle parses a candidate, which is JSON within the message. Browsers send an empty one as end-of-candidates.
func parseTrickle(data []byte) (candidate string, err error) {
	err = fields(data, func(f field) error {
		if f.id != 1 {
			return nil
		}
		var init struct {
			Candidate string `json:"candidate"`
		}
		if err := json.Unmarshal(f.bytes, &init); err != nil {
			return err
		}
		candidate = strings.TrimSpace(init.Candidate)
		return nil
	})
	return candidate, err
}

// parseQualities parses which qualities of a published video are subscribed to. A video has one codec, whose qualities are
// repeated in a field for older clients.
func parseQualities(data []byte) ([]bool, error) {
	watched := make([]bool, highQuality+1)
	err := fields(data, func(f field) error {
		if f.id != 2 {
			return nil
		}
		quality, isEnabled := uint64(0), false
		if err := fields(f.bytes, func(f field) error {
			switch f.id {
			case 1:
				quality = f.number
			case 2:
				isEnabled = f.number == 1
			}
			return nil
		}); err != nil {
			return err
		}
		if quality <= highQuality {
			watched[quality] = isEnabled
		}
		return nil
	})
	return watched, err
}

func parseSubscription(data []byte) (*refusedTrack, error) {
	r := &refusedTrack{}
	err := fields(data, func(f field) error {
		switch f.id {
		case 1:
			r.sid = f.text()
		case 2:
			r.reason = f.number
		}
		return nil
	})
	return r, err
}

// explicitSubscriptions are the settings of a viewer: nothing is subscribed automatically, and no layers are chosen by
// size. With autoSubscription the server subscribes a participant to all tracks of others.
var (
	explicitSubscriptions []byte
	autoSubscription      = appendNumber(nil, 1, 1)
)

// joinRequest is the parameter that requests one connection for all media.
func joinRequest(settings []byte) string {
	client := appendNumber(nil, 3, protocolVersion)
	request := appendBytes(appendBytes(nil, 1, client), 2, settings)
	return base64.URLEncoding.EncodeToString(appendBytes(nil, 2, request))
}

func subscribeRequest(sids []string) []byte {
	var subscription []byte
	for _, sid := range sids {
		subscription = appendBytes(subscription, 1, sid)
	}
	return appendBytes(nil, 6, appendNumber(subscription, 2, 1))
}

// settingsRequest requests the layer for an element of this size.
func settingsRequest(sid string, width, height int) []byte {
	settings := appendNumber(appendNumber(appendBytes(nil, 1, sid), 5, uint64(width)), 6, uint64(height))
	return appendBytes(nil, 7, settings)
}

// offerRequest is an offer with its number within the session, from 1; the answer has the same.
func offerRequest(sdp string, number int) []byte {
	description := appendBytes(appendBytes(nil, 1, "offer"), 2, sdp)
	return appendBytes(nil, 1, appendNumber(description, 3, uint64(number)))
}

func pingRequest(now time.Time) []byte {
	return appendBytes(nil, 16, appendNumber(nil, 1, uint64(now.UnixMilli())))
}

func leaveRequest() []byte { return appendBytes(nil, 8, appendNumber(nil, 2, clientInitiated)) }
