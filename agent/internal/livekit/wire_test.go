package livekit

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"testing"
	"time"

	"fullhouse/agent/internal/budget"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/testing/crafted"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
)

func TestFieldsKeepTheirOrder(t *testing.T) {
	message := appendNumber(appendBytes(appendNumber(nil, 1, 300), 2, "text"), 25, 1<<63)
	var got []field
	if err := fields(message, func(f field) error { got = append(got, f); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].number != 300 || got[1].text() != "text" || got[2].id != 25 || got[2].number != 1<<63 {
		t.Errorf("read %+v", got)
	}
}

func TestFixedFieldsAreSkipped(t *testing.T) {
	message := append([]byte{1<<3 | wire64, 1, 2, 3, 4, 5, 6, 7, 8, 2<<3 | wire32, 1, 2, 3, 4}, appendNumber(nil, 3, 7)...)
	var got []field
	if err := fields(message, func(f field) error { got = append(got, f); return nil }); err != nil || len(got) != 1 || got[0].number != 7 {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestInvalidMessagesAreRefused(t *testing.T) {
	for name, data := range map[string][]byte{
		"half a key":           {0x80},
		"field 0":              {0},
		"half a number":        {1 << 3, 0x80},
		"longer than it is":    {1<<3 | wireBytes, 5, 'a'},
		"an endless length":    {1<<3 | wireBytes, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"half of 8 bytes":      {1<<3 | wire64, 1, 2},
		"a group, long unused": {1<<3 | 3},
	} {
		if err := fields(data, func(field) error { return nil }); !errors.Is(err, errNotProtobuf) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestServerMessagesAreParsed(t *testing.T) {
	turn := appendBytes(appendBytes(appendBytes(appendBytes(nil, 1, "stun:a"), 1, "turn:b"), 2, "user"), 3, "word")
	if r, err := parseResponse(appendBytes(nil, 1, appendBytes(nil, 5, turn))); err != nil || !slices.Equal(r.joined.iceServers,
		[]signalling.ICEServer{{URL: "stun:a", Username: "user", Credential: "word"}, {URL: "turn:b", Username: "user", Credential: "word"}}) {
		t.Errorf("joined: %+v, %v", r.joined, err)
	}
	publisher := participantMessage("camera", 5, appendBytes(appendNumber(appendBytes(nil, 1, "TR_v"), 2, videoTrack), 11, "video/H264"))
	r, err := parseResponse(appendBytes(nil, 1, appendNumber(appendBytes(nil, 3, publisher), 11, 7)))
	if err != nil || r.joined == nil || r.joined.pingInterval != 7*time.Second || len(r.joined.participants) != 1 ||
		r.joined.participants[0].tracks[0] != (track{"TR_v", videoTrack, "video/H264", 0}) {
		t.Errorf("joined: %+v, %v", r.joined, err)
	}
	r, err = parseResponse(appendBytes(nil, 4, appendBytes(nil, 1, `{"candidate":"candidate:1 1 udp 5 127.0.0.1 9 typ host","sdpMid":"0"}`)))
	if err != nil || r.candidate != "candidate:1 1 udp 5 127.0.0.1 9 typ host" {
		t.Errorf("trickle: %+v, %v", r, err)
	}
	if _, err := parseResponse(appendBytes(nil, 4, appendBytes(nil, 1, `{"candidate"`))); err == nil {
		t.Error("a truncated candidate was accepted")
	}
	r, err = parseResponse(appendBytes(nil, 8, appendNumber(nil, 2, 5)))
	if err != nil || r.leave == nil || r.leave.reason != 5 {
		t.Errorf("leave: %+v, %v", r, err)
	}
	if r, err = parseResponse(appendBytes(nil, 99, "from a later version")); err != nil || r.joined != nil || r.leave != nil {
		t.Errorf("unknown: %+v, %v", r, err)
	}
}

func TestJoiningSubscribesToNoTracks(t *testing.T) {
	wrapped, err := base64.URLEncoding.DecodeString(joinRequest(explicitSubscriptions))
	if err != nil {
		t.Fatal(err)
	}
	want := []byte{2<<3 | wireBytes, 6, 1<<3 | wireBytes, 2, 3 << 3, protocolVersion, 2<<3 | wireBytes, 0}
	if !bytes.Equal(wrapped, want) {
		t.Errorf("the request is % x, not % x", wrapped, want)
	}
}

func FuzzParseResponse(f *testing.F) {
	f.Add(appendBytes(nil, 1, appendBytes(nil, 3, participantMessage("a", 1, appendBytes(nil, 1, "TR")))))
	f.Add(appendBytes(nil, 4, appendBytes(nil, 1, `{"candidate":"candidate:1"}`)))
	f.Add(appendBytes(nil, 25, appendNumber(nil, 2, 1)))
	f.Add(appendBytes(nil, 21, appendNumber(appendBytes(nil, 1, "TR"), 2, 1)))
	f.Add([]byte{1<<3 | wireBytes, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		defer crafted.Watch(t)(len(data))
		r, err := parseResponse(data)
		if err != nil {
			return
		}
		seen := map[string]participant{}
		for _, one := range r.update {
			seen[one.identity] = one
		}
		for _, sid := range first(pick(seen, Options{AudioOnly: len(data)%2 == 0})) {
			if sid == "" {
				t.Error("a track without a name was chosen")
			}
		}
	})
}

// participantMessage is a participant as in a server's message.
func participantMessage(identity string, joinedAt uint64, tracks ...[]byte) []byte {
	message := appendBytes(nil, 2, identity)
	for _, one := range tracks {
		message = appendBytes(message, 4, one)
	}
	return appendNumber(message, 6, joinedAt)
}

func TestALostViewerConnectsAgainWithItsToken(t *testing.T) {
	s := NewSignallers(nil, &url.URL{Scheme: "http", Host: "server"}, []string{"first", "second"}, Options{})
	group := whep.NewGroup(whep.Config{NewSignaller: s.Next})
	lost := group.New()
	if _ = viewer.Again(group, lost); s.taken.Load() != 1 {
		t.Error("it took the token of another viewer")
	}
	r := s.Next().(*room)
	if again := r.Again().(*room); again.token != "second" {
		t.Errorf("connects again with %q", again.token)
	}
}

func first[T any](value T, _ int) T { return value }

func TestNamedParticipantsAndLayersOfATrack(t *testing.T) {
	layered := append(bytes.Clone(h264), appendBytes(appendBytes(nil, 10, appendNumber(nil, 2, 320)), 10, appendNumber(nil, 2, 640))...)
	seen := map[string]participant{}
	for identity, message := range map[string][]byte{"one": participantMessage("one", 1, h264), "two": participantMessage("two", 2, layered)} {
		one, err := parseOne(message)
		if err != nil {
			t.Fatal(err)
		}
		seen[identity] = one
	}
	if sids, layers := pick(seen, Options{}); len(sids) != 1 || layers != 0 {
		t.Errorf("%v, %d layers", sids, layers)
	}
	if sids, layers := pick(seen, Options{Participant: "two"}); len(sids) != 1 || layers != 2 {
		t.Errorf("%v, %d layers of a named participant", sids, layers)
	}
	if sids, _ := pick(seen, Options{Participant: "three"}); sids != nil {
		t.Errorf("%v of an absent participant", sids)
	}
	if got := hex.EncodeToString(settingsRequest("T", 640, 360)); got != "3a09"+"0a0154"+"288005"+"30e802" {
		t.Errorf("settings %s", got)
	}
}

// parseOne parses a participant of a message without others.
func parseOne(data []byte) (participant, error) {
	return parseParticipant(data, budget.New("the message", maxRoster, maxEntries, ""))
}
