package rtmp

import (
	"bytes"
	"testing"

	"fullhouse/agent/internal/testing/crafted"
)

func TestMessagesTakeNoMoreMemoryThanTheirSizeAllows(t *testing.T) {
	status := AppendAMF(nil, "onStatus", 0.0, nil, Object{"code": "NetStream.Play.Start", "list": []any{1.0, true, "x"}})
	seeds := [][]byte{status, AppendChunks(nil, 3, Message{Kind: TypeCommand, Payload: status}, FirstChunkSize),
		AppendChunks(nil, 4, Message{Kind: TypeVideo, Timestamp: extended + 5, Payload: make([]byte, 300)}, FirstChunkSize),
		{0x02, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0xc2, 0, 4}}
	// A first chunk on each chunk stream, of a message that is nearly as long as it may be.
	var incomplete []byte
	for stream := range byte(60) {
		incomplete = append(incomplete, 3+stream, 0, 0, 0, 3, 0xff, 0xff, TypeCommand, 0, 0, 0, 0)
		incomplete = append(incomplete, make([]byte, FirstChunkSize)...)
	}
	large := []byte{0x02, 0, 0, 0, 0, 0, 4, TypeSetChunkSize, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff}
	named := map[string][]byte{
		"incomplete messages": incomplete,
		"nulls":               append([]byte{amfStrictArray, 0xff, 0xff, 0xff, 0xff}, bytes.Repeat([]byte{amfNull}, maxMessageBytes)...),
		"arrays in arrays":    bytes.Repeat([]byte{amfStrictArray, 0xff, 0xff, 0xff, 0xff}, 50_000),
		"a long string":       {amfLongString, 0xff, 0xff, 0xff, 0xff},
		"large chunks":        append(large, bytes.Repeat(append([]byte{3, 0, 0, 0, 3, 0xff, 0xff, TypeCommand, 0, 0, 0, 0}, make([]byte, 0x3ffff)...), 8)...),
	}
	crafted.Each(t, crafted.All(crafted.Named(named), crafted.Binary(1100, seeds...)), func(data []byte) {
		_, _ = ReadAMF(data[:min(len(data), maxMessageBytes)])
		_ = (&Scanner{Sink: discardSink{}}).Write(data)
		for r := NewChunkReader(bytes.NewReader(data)); ; {
			if _, err := r.Next(); err != nil {
				return
			}
		}
	})
}

// TestIncompleteMessagesHaveOneLimit: each of many chunk streams may have a message of 256 KB, all together may not.
func TestIncompleteMessagesHaveOneLimit(t *testing.T) {
	wire := []byte{0x02, 0, 0, 0, 0, 0, 4, TypeSetChunkSize, 0, 0, 0, 0, 0, 3, 0xff, 0xf0} // chunks of all but 15 bytes
	for stream := range byte(3) {
		wire = append(wire, 3+stream, 0, 0, 0, 3, 0xff, 0xff, TypeCommand, 0, 0, 0, 0)
		wire = append(wire, make([]byte, 0x3fff0)...)
	}
	_, err := NewChunkReader(bytes.NewReader(wire)).Next()
	if err == nil || err.Error() != "more than 524288 bytes of incomplete messages" {
		t.Errorf("%v", err)
	}
}
