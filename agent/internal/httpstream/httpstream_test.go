package httpstream

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

// record writes down what a parser finds; adjacent pieces of a body are joined.
type record struct {
	text   strings.Builder
	inBody bool
}

func (r *record) add(format string, arguments ...any) {
	if r.inBody {
		r.text.WriteString("] ")
		r.inBody = false
	}
	fmt.Fprintf(&r.text, format+" ", arguments...)
}

func (r *record) Head(response *http.Response) error {
	r.add("head %d", response.StatusCode)
	return nil
}
func (r *record) Body(data []byte) error {
	if !r.inBody {
		r.text.WriteString("[")
		r.inBody = true
	}
	r.text.Write(data)
	return nil
}
func (r *record) Data(data []byte) error { return r.Body(data) }
func (r *record) End() error             { r.add("end"); return nil }
func (r *record) EndOfMessage() error    { r.add("message"); return nil }
func (r *record) Ping(payload []byte) error {
	r.add("ping %s", payload)
	return nil
}
func (r *record) Close(code int, words string) error { r.add("close %d %s", code, words); return nil }

func (r *record) String() string {
	r.add("")
	return strings.TrimSpace(r.text.String())
}

// parse feeds a wire in pieces of one size.
func parse(wire string, piece int) (string, error) {
	var p Parser
	r := &record{}
	for at := 0; at < len(wire); at += piece {
		if err := p.Write(r, []byte(wire[at:min(at+piece, len(wire))])); err != nil {
			return r.String(), err
		}
	}
	if isEnd, err := p.Closed(r); err != nil || isEnd {
		return r.String(), err
	}
	return r.String(), nil
}

func TestResponsesAreParsedInPiecesOfAnySize(t *testing.T) {
	for wire, want := range map[string]string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello":                                                                                  "head 200 [hello] end",
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno":                                  "head 200 end head 404 [no] end",
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n":                                                                       "head 204 end",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n": "head 200 [abcde] end head 304 end",
		"HTTP/1.0 200 OK\r\n\r\nuntil the end":                                                                                               "head 200 [until the end] end",
		"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nas it is":                                                             "head 101 [as it is]",
	} {
		for piece := 1; piece <= len(wire); piece++ {
			if got, err := parse(wire, piece); err != nil || got != want {
				t.Fatalf("%q in pieces of %d: %q, %v; want %q", wire, piece, got, err, want)
			}
		}
	}
}

func TestWhatIsNotHTTPIsRefused(t *testing.T) {
	for name, wire := range map[string]string{
		"another protocol":    "SSH-2.0-OpenSSH\r\n",
		"HTTP/2":              "HTTP/2 200\r\n\r\n",
		"an endless head":     "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", maxHeadBytes),
		"an invalid head":     "HTTP/1.1 two\r\n\r\n",
		"a chunk of no size":  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
		"a negative chunk":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
		"a chunk too long":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
		"an endless chunk":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("0", maxChunkLine+1),
		"interim for ever":    strings.Repeat("HTTP/1.1 102 Processing\r\n\r\n", maxInterim+1),
		"two content lengths": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
	} {
		if _, err := parse(wire, 7); !errors.Is(err, ErrNotHTTP) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAConnectionIsReusedUnlessTheServerClosesIt(t *testing.T) {
	for wire, want := range map[string]bool{
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx":                      true,
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx": false,
		"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx":                      false,
	} {
		var p Parser
		if err := p.Write(&record{}, []byte(wire)); err != nil || p.KeepsAlive != want || !p.IsIdle() {
			t.Errorf("%q: %v, %v", wire, p.KeepsAlive, err)
		}
	}
}

func frames(wire []byte, piece int) (string, error) {
	var f Frames
	r := &record{}
	for at := 0; at < len(wire); at += piece {
		if err := f.Write(r, wire[at:min(at+piece, len(wire))]); err != nil {
			return r.String(), err
		}
	}
	return r.String(), nil
}

func TestWebSocketFramesAreParsedInPiecesOfAnySize(t *testing.T) {
	long := strings.Repeat("x", 300)
	wire := append([]byte{0x02, 3, 'a', 'b', 'c', 0x89, 2, 'h', 'i', 0x80, 2, 'd', 'e', 0x82, 0, 0x82, 126, 1, 44}, long...)
	wire = append(wire, 0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 'y', 0x8a, 0, 0x88, 5, 0x03, 0xf3, 'b', 'y', 'e')
	want := "[abc] ping hi [de] message message [" + long + "] message [y] message close 1011 bye"
	for piece := 1; piece <= len(wire); piece++ {
		if got, err := frames(wire, piece); err != nil || got != want {
			t.Fatalf("in pieces of %d: %q, %v", piece, got, err)
		}
	}
	for name, wire := range map[string][]byte{
		"masked":                      {0x82, 0x80},
		"reserved bits":               {0xc2, 0},
		"a reserved opcode":           {0x83, 0},
		"a long ping":                 {0x89, 126, 1, 0},
		"a ping in fragments":         {0x09, 0},
		"a continuation of nothing":   {0x80, 0},
		"a message within another":    {0x02, 0, 0x82, 0},
		"more than can be counted on": {0x82, 127, 0xff, 0, 0, 0, 0, 0, 0, 0},
	} {
		if _, err := frames(wire, 1); !errors.Is(err, ErrNotWebSocket) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAFrameOfAClientIsMasked(t *testing.T) {
	pong := Pong([]byte("hello"))
	if pong[0] != 0x8a || pong[1] != 0x80|5 || len(pong) != 11 {
		t.Fatalf("%x", pong)
	}
	for i, want := range []byte("hello") {
		if got := pong[6+i] ^ pong[2+i%4]; got != want {
			t.Errorf("byte %d is %x", i, got)
		}
	}
}

// TestTheKeyIsAccepted has the example of RFC 6455, 1.3.
func TestTheKeyIsAccepted(t *testing.T) {
	response := &http.Response{StatusCode: 101, Header: http.Header{"Sec-Websocket-Accept": {"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="}}}
	if !AcceptsKey(response, "dGhlIHNhbXBsZSBub25jZQ==") || AcceptsKey(response, NewKey()) {
		t.Error("the example's key")
	}
}

// FuzzParser feeds a hostile server's bytes in any pieces: what is found is the same as in one piece.
func FuzzParser(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"), uint8(3))
	f.Add([]byte("HTTP/1.1 101 Switching Protocols\r\n\r\n\x82\x01x"), uint8(1))
	f.Fuzz(func(t *testing.T, wire []byte, piece uint8) {
		defer crafted.Watch(t)(len(wire))
		whole, wholeErr := parse(string(wire), len(wire)+1)
		pieces, piecesErr := parse(string(wire), int(piece)+1)
		if whole != pieces && wholeErr == nil || (wholeErr == nil) != (piecesErr == nil) {
			t.Errorf("%q, %v; in pieces of %d %q, %v", whole, wholeErr, piece, pieces, piecesErr)
		}
	})
}

// FuzzFrames does the same for WebSocket frames.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{0x02, 3, 'a', 'b', 'c', 0x89, 2, 'h', 'i', 0x80, 2, 'd', 'e', 0x88, 2, 3, 0xe8}, uint8(3))
	f.Fuzz(func(t *testing.T, wire []byte, piece uint8) {
		defer crafted.Watch(t)(len(wire))
		whole, wholeErr := frames(wire, len(wire)+1)
		pieces, piecesErr := frames(wire, int(piece)+1)
		if whole != pieces && wholeErr == nil || (wholeErr == nil) != (piecesErr == nil) {
			t.Errorf("%q, %v; in pieces of %d %q, %v", whole, wholeErr, piece, pieces, piecesErr)
		}
	})
}
