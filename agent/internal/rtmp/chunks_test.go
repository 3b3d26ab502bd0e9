package rtmp

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestMessagesAreRestoredFromTheirChunks(t *testing.T) {
	for _, length := range []int{0, 1, 127, 128, 129, 256, 1000, 70_000} {
		for _, timestamp := range []uint32{0, 40, extended - 1, extended, extended + 1, 1<<32 - 1} {
			sent := Message{Kind: TypeVideo, Stream: 1, Timestamp: timestamp, Payload: bytes.Repeat([]byte{7}, length)}
			r := NewChunkReader(bytes.NewReader(AppendChunks(AppendChunks(nil, 4, sent, FirstChunkSize), 4, sent, FirstChunkSize)))
			for range 2 {
				got, err := r.Next()
				if err != nil || got.Kind != sent.Kind || got.Stream != 1 || got.Timestamp != timestamp || !bytes.Equal(got.Payload, sent.Payload) {
					t.Fatalf("%d bytes at %d: %d bytes of kind %d at %d, %v", length, timestamp, len(got.Payload), got.Kind, got.Timestamp, err)
				}
			}
			if _, err := r.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("%v", err)
			}
		}
	}
}

// TestShortHeadersBuildOnTheOnesBefore reads handwritten bytes: all four formats, two interleaved chunk streams, an
// abort, and a new chunk size.
func TestShortHeadersBuildOnTheOnesBefore(t *testing.T) {
	wire := strings.Join([]string{
		"03 000064 000003 14 01000000 aaaaaa",        // full
		"43 000010 000002 14 bbbb",                   // same stream, 16 ms on
		"83 000005 cccc",                             // same length, 5 ms on
		"c3 dddd",                                    // the same again, 5 ms on
		"02 000000 000004 01 00000000 00000002",      // chunks of 2 bytes from here
		"04 000000 000003 12 02000000 e1e2",          // first piece
		"05 ffffff 000003 12 02000000 01000000 f1f2", // between them, with a long timestamp
		"c4 e3",
		"c5 01000000 f3",
		"04 000000 000003 12 02000000 9999", // starts, and is aborted
		"02 000000 000004 02 00000000 0000 c2 0004",
		"04 000007 000001 12 02000000 77",
		"00 06 000000 000001 09 00000000 66",   // chunk stream 70
		"01 0601 000000 000001 09 00000000 55", // chunk stream 64 + 6 + 256
	}, "")
	raw, err := hex.DecodeString(strings.ReplaceAll(wire, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	r := NewChunkReader(bytes.NewReader(raw))
	for _, want := range []struct {
		payload   string
		timestamp uint32
		stream    uint32
	}{{"aaaaaa", 100, 1}, {"bbbb", 116, 1}, {"cccc", 121, 1}, {"dddd", 126, 1}, {"e1e2e3", 0, 2}, {"f1f2f3", 1 << 24, 2}, {"77", 7, 2}, {"66", 0, 0}, {"55", 0, 0}} {
		got, err := r.Next()
		if err != nil || hex.EncodeToString(got.Payload) != want.payload || got.Timestamp != want.timestamp || got.Stream != want.stream {
			t.Fatalf("%x at %d on %d, %v; want %+v", got.Payload, got.Timestamp, got.Stream, err, want)
		}
	}
	if r.Received != uint32(len(raw)) {
		t.Errorf("%d bytes counted of %d", r.Received, len(raw))
	}
}

func TestInvalidRTMPIsAnError(t *testing.T) {
	for name, text := range map[string]string{
		"starts without a header": "c3 00", "huge": "03 000000 ffffff 14 00000000", "chunks of nothing": "02 000000 000004 01 00000000 00000000",
		"starts twice": "03 000000 000100 14 00000000" + strings.Repeat("00", 128) + "03 000000 000001 14 00000000 00", "cut": "03 0000",
		"a short size": "02 000000 000002 01 00000000 0001",
	} {
		raw, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if m, err := NewChunkReader(bytes.NewReader(raw)).Next(); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	var many []byte
	for number := range byte(maxChunkStreams + 1) {
		many = append(many, 0, number, 0, 0, 0, 0, 0, 0, TypeVideo, 0, 0, 0, 0)
	}
	r := NewChunkReader(bytes.NewReader(many))
	var err error
	for range maxChunkStreams + 1 {
		_, err = r.Next()
	}
	if err == nil || errors.Is(err, io.EOF) {
		t.Errorf("too many chunk streams: %v", err)
	}
}

// FuzzReader reads a hostile server's bytes: the reader may refuse them, but must neither panic nor use much memory.
func FuzzReader(f *testing.F) {
	f.Add(AppendChunks(nil, 3, Message{Kind: TypeCommand, Payload: AppendAMF(nil, "_result", 1.0, nil, Object{"code": "NetConnection.Connect.Success"})}, FirstChunkSize))
	f.Add(AppendChunks(nil, 4, Message{Kind: TypeVideo, Timestamp: extended + 5, Payload: make([]byte, 300)}, FirstChunkSize))
	f.Add([]byte{0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0xc2, 0, 4})
	f.Add([]byte{3, 0, 0, 0, 0, 0, 6, 20, 0, 0, 0, 0, 0x0a, 255, 255, 255, 255, 5})
	f.Fuzz(func(t *testing.T, wire []byte) {
		defer crafted.Watch(t)(len(wire))
		r := NewChunkReader(bytes.NewReader(wire))
		for {
			m, err := r.Next()
			if err != nil {
				break
			}
			if len(m.Payload) > len(wire) {
				t.Fatalf("%d bytes out of %d", len(m.Payload), len(wire))
			}
			if c, ok := ReadCommand(m.Payload); ok {
				c.Info()
			}
		}
		if int(r.Received) > len(wire) {
			t.Fatalf("%d bytes counted of %d", r.Received, len(wire))
		}
	})
}
