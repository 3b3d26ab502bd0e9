package turn

import (
	"bytes"
	"slices"
	"testing"

	"github.com/pion/stun/v3"
)

func stunMessage(t testing.TB, setters ...stun.Setter) []byte {
	t.Helper()
	m, err := stun.Build(append([]stun.Setter{stun.TransactionID}, setters...)...)
	if err != nil {
		t.Fatal(err)
	}
	return m.Raw
}

func TestChannelDataOfAnyLength(t *testing.T) {
	for length := range 9 {
		content := bytes.Repeat([]byte{7}, length)
		for _, padded := range []bool{false, true} {
			message := appendChannelData(nil, firstChannel, content, padded)
			channel, got, ok := readChannelData(message)
			if !ok || channel != firstChannel || !bytes.Equal(got, content) || padded && len(message)%4 != 0 || !padded && len(message) != length+4 {
				t.Errorf("%d bytes: %x", length, message)
			}
		}
	}
	for _, bad := range [][]byte{{}, {0x40, 0, 0}, {0x40, 0, 0, 1}, {0x50, 0, 0, 0}, {0, 1, 0, 0}, {0x80, 0, 0, 0}} {
		if _, _, ok := readChannelData(bad); ok {
			t.Errorf("%x is accepted", bad)
		}
	}
}

// deframed cuts a stream that arrives in pieces of a length.
func deframed(stream []byte, piece int) (messages [][]byte, ok bool) {
	var d deframer
	for part := range slices.Chunk(stream, piece) {
		if !d.next(part, func(message []byte) { messages = append(messages, slices.Clone(message)) }) {
			return messages, false
		}
	}
	return messages, len(d.partial) == 0
}

func TestAStreamIsCutIntoMessagesHoweverItArrives(t *testing.T) {
	want := [][]byte{
		stunMessage(t, stun.BindingRequest), appendChannelData(nil, firstChannel, []byte("seven b"), true),
		appendChannelData(nil, firstChannel, nil, true), stunMessage(t, stun.BindingSuccess, stun.NewSoftware("coturn")),
		appendChannelData(nil, firstChannel, make([]byte, 1200), true),
	}
	stream := bytes.Join(want, nil)
	for _, piece := range []int{1, 2, 3, 5, 7, 100, len(stream)} {
		if got, ok := deframed(stream, piece); !ok || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("in pieces of %d: %d messages", piece, len(got))
		}
	}
	for _, bad := range [][]byte{{0x80, 0, 0, 0}, []byte("HTTP/1.1 400"), {0, 1, 0, 3}} {
		if _, ok := deframed(bad, 1); ok {
			t.Errorf("%x is accepted", bad)
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add(append(stunMessage(f, stun.BindingRequest), appendChannelData(nil, firstChannel, []byte("abc"), true)...), 3)
	f.Add([]byte{0x40, 0, 0xff, 0xff, 1}, 1)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		if piece < 1 {
			piece = 1
		}
		whole, _ := deframed(stream, max(len(stream), 1))
		cut, _ := deframed(stream, piece)
		if !slices.EqualFunc(whole, cut, bytes.Equal) {
			t.Errorf("%d messages at once, %d in pieces of %d", len(whole), len(cut), piece)
		}
	})
}
