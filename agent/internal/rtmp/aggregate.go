package rtmp

// tagHeader is the size of an FLV tag's header: type, size, time, and stream id. The tag's total size follows the data.
const (
	tagHeader  = 11
	tagTrailer = 4
)

// tags parses an aggregate message: several messages as FLV tags, in pieces of any size.
type tags struct {
	have    int // of the header
	header  [tagHeader]byte
	got     uint32 // of the data
	trailer uint32 // still to come
	head    [HeadBytes]byte
	// shift is the difference between the message's time and its first tag's.
	shift     uint32
	isStarted bool
}

func (t *tags) write(sink Sink, timestamp uint32, data []byte) {
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
			if t.have == tagHeader && !t.isStarted {
				t.isStarted, t.shift = true, timestamp-t.time()
			}
			t.end(sink)
		default:
			count := min(t.size()-t.got, uint32(len(data)))
			if t.got < HeadBytes {
				copy(t.head[t.got:], data[:count])
			}
			t.got += count
			data = data[count:]
			t.end(sink)
		}
	}
}

func (t *tags) size() uint32 { return uint24(t.header[1:]) }

// time has its highest byte last.
func (t *tags) time() uint32 { return uint24(t.header[4:]) | uint32(t.header[7])<<24 }

// end passes on a complete tag.
func (t *tags) end(sink Sink) {
	if t.have < tagHeader || t.got < t.size() {
		return
	}
	if kind := t.header[0] & 0x1f; kind == TypeAudio || kind == TypeVideo || kind == TypeData {
		sink.Media(kind, t.time()+t.shift, t.size(), t.head[:min(t.size(), HeadBytes)])
	}
	t.have, t.got, t.trailer = 0, 0, tagTrailer
}
