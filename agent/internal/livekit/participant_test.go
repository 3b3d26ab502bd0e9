package livekit

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// members is a listener of a participant.
type members struct {
	listener
	calls chan string
}

func (m members) OnSections(audios, videos int) string {
	m.calls <- fmt.Sprintf("sections %d %d", audios, videos)
	return fmt.Sprintf("offer with %d", audios+videos)
}
func (m members) OnAnswer(answer string)         { m.calls <- "answer " + answer }
func (m members) OnWatched(watched []bool)       { m.calls <- fmt.Sprint("watched ", watched) }
func (m members) OnPublished(published []string) { m.calls <- fmt.Sprint("published ", published) }

func TestAParticipantPublishesAndFollowsTheOthers(t *testing.T) {
	received := make(chan string, 20)
	signaller := roomOf(t, func(s *server) {
		next := func() []byte {
			id, content := s.nextMessage()
			text := ""
			_ = fields(content, func(f field) error {
				if f.id <= 3 {
					text += fmt.Sprintf(" %d:%s%d", f.id, f.bytes, f.number)
				}
				return nil
			})
			received <- fmt.Sprint(id, text)
			return content
		}
		self := participantMessage("me", 9)
		s.sendMessage(1, appendBytes(appendBytes(nil, 2, self), 3, participantMessage("one", 1, h264)))
		next() // the tracks, then the offer
		next()
		next()
		// Requirements that arrive before the answer wait for it.
		s.sendMessage(25, appendNumber(nil, 2, 1))
		s.sendMessage(25, appendNumber(nil, 1, 2))
		s.sendMessage(2, appendBytes(appendBytes(nil, 1, "answer"), 2, answer))
		next()
		s.sendMessage(25, appendNumber(nil, 2, 4)) // while an offer is not answered
		s.sendMessage(2, appendBytes(appendBytes(nil, 1, "answer"), 2, "another"))
		next()
		s.sendMessage(2, appendBytes(appendBytes(nil, 1, "answer"), 2, "third"))
		s.sendMessage(25, nil) // it needs another offer, but no more sections
		next()
		s.sendMessage(5, appendBytes(appendBytes(nil, 1, participantMessage("me", 9, vp7)), 1, appendNumber(participantMessage("one", 1, h264), 3, disconnected)))
		s.nextMessage()
	})
	signaller.signallers = NewParticipants(signaller.signallers.signaller, signaller.signallers.endpoint, []string{aToken},
		[]PublishedTrack{{Name: "audio", Audio: true}, {Name: "video", Codec: "H264", Width: 426, Height: 240}})
	signaller.signallers.endpoint.Path = "/rtc/v1"
	signaller = signaller.signallers.Next().(*room)
	handler := members{newListener(), make(chan string, 20)}
	if got, f := signaller.Exchange(within(20*time.Second), offer, handler); f != nil || got != answer {
		t.Fatalf("answer %q, %v", got, f)
	}
	var calls, messages []string
	for range 8 {
		calls = append(calls, <-handler.calls)
	}
	if want := []string{"published [TR_h264]", "answer " + answer, "sections 2 1", "answer another", "sections 0 4", "answer third", "sections 0 0", "published []"}; !slices.Equal(calls, want) {
		t.Errorf("%q, want %q", calls, want)
	}
	for range 6 {
		messages = append(messages, <-received)
	}
	if want := []string{"4 1:audio0 2:audio0", "4 1:video0 2:video0 3:1", "1 1:offer0 2:" + offer + "0 3:1", "1 1:offer0 2:offer with 30 3:2", "1 1:offer0 2:offer with 40 3:3", "1 1:offer0 2:offer with 00 3:4"}; !slices.Equal(messages, want) {
		t.Errorf("%q, want %q", messages, want)
	}
	if err := signaller.Disconnect(within(20*time.Second), true); err != nil {
		t.Errorf("Disconnect: %v", err)
	}
}

// The fields of AddTrackRequest and of its parts (livekit_rtc.proto of protocol 1.45).
func TestTracksAreAnnouncedWithTheirSize(t *testing.T) {
	numbers := map[string]uint64{}
	var walk func(prefix string, data []byte)
	walk = func(prefix string, data []byte) {
		_ = fields(data, func(f field) error {
			name := fmt.Sprint(prefix, f.id)
			if numbers[name] = f.number; name == "9" || name == "10" || name == "10.4" {
				walk(name+".", f.bytes)
			}
			return nil
		})
	}
	_ = fields(addTrackRequest(PublishedTrack{Name: "video", Codec: "VP9", Width: 640, Height: 360, BitsPerSecond: 500_000}), func(f field) error { walk("", f.bytes); return nil })
	for name, want := range map[string]uint64{"3": videoTrack, "4": 640, "5": 360, "6": 0, "8": camera, "9.1": highQuality, "9.2": 640, "9.3": 360, "9.4": 500_000, "10.4.2": 640} {
		if numbers[name] != want {
			t.Errorf("field %s is %d, want %d", name, numbers[name], want)
		}
	}
}
