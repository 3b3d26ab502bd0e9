package icetcp

import (
	"bytes"
	"slices"
	"testing"
)

// deframed cuts a stream that arrives in pieces of a length.
func deframed(stream []byte, piece int) (contents [][]byte, rest int) {
	var d deframer
	for part := range slices.Chunk(stream, piece) {
		d.next(part, func(content []byte) { contents = append(contents, slices.Clone(content)) })
	}
	return contents, len(d.partial)
}

func TestAStreamIsCutIntoFramesHoweverItArrives(t *testing.T) {
	want := [][]byte{[]byte("a"), []byte("seven b"), make([]byte, 1200), make([]byte, 65535), []byte("last")}
	var stream []byte
	for _, content := range want {
		stream = appendFrame(appendFrame(stream, nil), content) // an empty frame has no content
	}
	for _, piece := range []int{1, 2, 3, 7, 1000, len(stream)} {
		got, rest := deframed(stream, piece)
		if !slices.EqualFunc(got, want, bytes.Equal) || rest != 0 {
			t.Errorf("in pieces of %d: %d frames, %d bytes left", piece, len(got), rest)
		}
	}
	if got, rest := deframed(stream[:len(stream)-1], 9); len(got) != len(want)-1 || rest != 5 {
		t.Errorf("%d frames, %d bytes left", len(got), rest)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add(appendFrame(appendFrame(nil, []byte("abc")), []byte{}), 3)
	f.Add([]byte{0xff, 0xff, 1}, 1)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		whole, left := deframed(stream, max(len(stream), 1))
		cut, rest := deframed(stream, max(piece, 1))
		if !slices.EqualFunc(whole, cut, bytes.Equal) || left != rest {
			t.Errorf("%d frames and %d bytes at once, %d and %d in pieces of %d", len(whole), left, len(cut), rest, piece)
		}
		length := left
		for _, content := range whole {
			length += len(content)
		}
		if length > len(stream) {
			t.Errorf("%d bytes of %d", length, len(stream))
		}
	})
}
