// Package flv finds the messages of an FLV stream and distinguishes frames from configuration, without keeping their content.
// RTMP carries the same messages.
package flv

// Kinds of messages with media (FLV specification, E.4.1); RTMP uses the same numbers.
const (
	TypeAudio = 8
	TypeVideo = 9
	TypeData  = 18
)

// HeadBytes of each message are kept: enough for the headers before a picture.
const HeadBytes = 16

// tagHeader is the size of a tag's header: type, size, time, and stream id. The tag's total size follows the data.
const (
	tagHeader  = 11
	tagTrailer = 4
)

// Sink receives what a scanner finds.
type Sink interface {
	// Media gets each complete message with audio, video or data.
	Media(m Message)
}

// Tags parses FLV tags in pieces of any size. It allocates nothing.
type Tags struct {
	have    int // of the header
	header  [tagHeader]byte
	got     uint32 // of the data
	trailer uint32 // still to come
	payload Payload
}

// Write scans the next bytes.
func (t *Tags) Write(sink Sink, data []byte) {
	for len(data) > 0 {
		switch {
		case t.trailer > 0:
			count := min(t.trailer, uint32(len(data)))
			t.trailer -= count
			data = data[count:]
		case t.have < tagHeader:
			count := copy(t.header[t.have:], data)
			t.have += count
			data = data[count:]
			t.end(sink)
		default:
			count := min(t.size()-t.got, uint32(len(data)))
			t.payload.Write(t.kind(), data[:count])
			t.got += count
			data = data[count:]
			t.end(sink)
		}
	}
}

func (t *Tags) size() uint32 { return uint24(t.header[1:]) }

func (t *Tags) kind() byte { return t.header[0] & 0x1f }

// time has its highest byte last.
func (t *Tags) time() uint32 { return uint24(t.header[4:]) | uint32(t.header[7])<<24 }

// end passes on a complete tag.
func (t *Tags) end(sink Sink) {
	if t.have < tagHeader || t.got < t.size() {
		return
	}
	m := t.payload.Message(t.kind(), t.time(), t.size())
	if m.Kind == TypeAudio || m.Kind == TypeVideo || m.Kind == TypeData {
		sink.Media(m)
	}
	t.have, t.got, t.trailer = 0, 0, tagTrailer
}

func uint24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }
