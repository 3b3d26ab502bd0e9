package plainrtmp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
)

func TestMessagesAreReadThroughTheirChunks(t *testing.T) {
	in := command(nil, 0, bytes.Repeat([]byte{7}, 300)) // three chunks
	in = append(in, 2, 0, 0, 0, 0, 0, 4, setChunkSize, 0, 0, 0, 0)
	in = binary.BigEndian.AppendUint32(in, 4096)
	in = append(in, 4, 0xff, 0xff, 0xff, 0, 0x0b, 0xb8, videoMessage, 1, 0, 0, 0, 1, 0, 0, 0) // 3,000 bytes, an extended timestamp
	in = append(in, make([]byte, 3000)...)
	in = append(in, 1<<6|4, 0, 0, 40, 0, 0, 2, audioMessage, 1, 2)
	length := len(in)
	r := newReader(bytes.NewReader(in))
	for _, want := range []message{{commandMessage, 300}, {setChunkSize, 4}, {videoMessage, 3000}, {audioMessage, 2}} {
		if got, err := r.next(); err != nil || got != want {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	}
	if taken := r.takeBytes(); taken != uint64(length) {
		t.Errorf("%d bytes of %d", taken, length)
	}
	if _, err := r.next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(command(nil, 0, make([]byte, 200)))
	f.Add([]byte{2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, input []byte) {
		r := newReader(bytes.NewReader(input))
		for {
			if _, err := r.next(); err != nil {
				return
			}
		}
	})
}
