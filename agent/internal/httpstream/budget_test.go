package httpstream

import (
	"net/http"
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

// nothing takes what is parsed, and keeps nothing.
type nothing struct{}

func (nothing) Head(*http.Response) error { return nil }
func (nothing) Body([]byte) error         { return nil }
func (nothing) Data([]byte) error         { return nil }
func (nothing) End() error                { return nil }
func (nothing) EndOfMessage() error       { return nil }
func (nothing) Ping([]byte) error         { return nil }
func (nothing) Close(int, string) error   { return nil }

func TestResponsesTakeNoMoreMemoryThanAHeadAllows(t *testing.T) {
	named := map[string][]byte{
		"an endless head":  []byte("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 4<<20)),
		"many fields":      []byte("HTTP/1.1 200 OK\r\n" + strings.Repeat("a:\r\n", 15_000) + "\r\n"),
		"different fields": []byte("HTTP/1.1 200 OK\r\n" + strings.Repeat("a", 30_000) + ":\r\n\r\n"),
		"chunks of a byte": []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1\r\nx\r\n", 600_000)),
		"a huge chunk":     []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n" + strings.Repeat("x", 1<<20)),
		"a huge length":    []byte("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n" + strings.Repeat("x", 1<<20)),
		"trailers":         []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat("a: b\r\n", 600_000)),
		"many responses":   []byte(strings.Repeat("HTTP/1.1 204 No Content\r\n\r\n", 20_000)),
	}
	seeds := []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nas it is"}
	frames := []byte{0x02, 3, 'a', 'b', 'c', 0x89, 2, 'h', 'i', 0x80, 2, 'd', 'e', 0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 'y', 0x88, 2, 3, 0xe8}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Text(1000, seeds...), crafted.Binary(1000, frames)), func(wire []byte) {
		var p Parser
		var f Frames
		for at, isFine := 0, true; at < len(wire) && isFine; at += 4000 {
			isFine = p.Write(nothing{}, wire[at:min(at+4000, len(wire))]) == nil
		}
		_ = f.Write(nothing{}, wire)
	})
}
