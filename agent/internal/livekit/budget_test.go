package livekit

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestMessagesTakeNoMoreMemoryThanTheirSizeAllows(t *testing.T) {
	seeds := [][]byte{
		appendBytes(nil, 1, appendBytes(nil, 3, participantMessage("a", 1, appendBytes(nil, 1, "TR")))),
		appendBytes(nil, 5, appendBytes(nil, 1, participantMessage("b", 2, appendBytes(appendBytes(nil, 1, "TR"), 11, "video/H264")))),
		appendBytes(nil, 4, appendBytes(nil, 1, `{"candidate":"candidate:1"}`)), appendNumber(appendBytes(nil, 21, "TR"), 2, 1),
		appendBytes(nil, 25, appendNumber(nil, 2, 1<<63)),
	}
	named := map[string][]byte{
		"participants":         appendBytes(nil, 5, bytes.Repeat(appendBytes(nil, 1, ""), 2_000_000)),
		"joined participants":  appendBytes(nil, 1, bytes.Repeat(appendBytes(nil, 3, ""), 2_000_000)),
		"tracks":               appendBytes(nil, 5, appendBytes(nil, 1, bytes.Repeat(appendBytes(nil, 4, ""), 2_000_000))),
		"addresses of servers": appendBytes(nil, 1, appendBytes(nil, 5, bytes.Repeat(appendBytes(nil, 1, ""), 2_000_000))),
		"nested JSON":          appendBytes(nil, 4, appendBytes(nil, 1, strings.Repeat("[", 2_000_000))),
	}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Binary(1000, seeds...)), func(data []byte) { _, _ = parseResponse(data) })
	for name, data := range named {
		if _, err := parseResponse(data); err == nil || name != "nested JSON" && err.Error() != "the message has more than 20000 participants and tracks" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestARoomHasOneLimitOverAllMessages: each message is small, and the viewer keeps what all of them say.
func TestARoomHasOneLimitOverAllMessages(t *testing.T) {
	r := NewSignallers(nil, &url.URL{Scheme: "http", Host: "server"}, nil, Options{}).withToken("")
	r.step = choosing
	count := 0
	for ; r.problem == nil && count < 100_000; count++ {
		r.choose([]participant{{identity: fmt.Sprint("a long name ", count, strings.Repeat("x", 10_000))}})
	}
	if count < 100 || count > 1000 || r.problem == nil || r.problem.Detail != "server: the room has more than 4 MB of participants and tracks." {
		t.Errorf("%d participants, %v", count, r.problem)
	}
	var same roster
	for range 100_000 { // of one that changes again and again only the latest is kept
		if err := same.update([]participant{{identity: "a", tracks: []track{{sid: "b"}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := same.update([]participant{{identity: "a", gone: true}}); err != nil || same.size != 0 {
		t.Errorf("%d bytes, %v", same.size, err)
	}
}
