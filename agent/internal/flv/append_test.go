package flv

import (
	"slices"
	"testing"
)

type seen struct {
	kind              byte
	timestamp, length uint32
}

type sinkOf struct{ all []seen }

func (s *sinkOf) Media(m Message) {
	s.all = append(s.all, seen{m.Kind, m.Timestamp, m.Length})
}

func TestAppendedTagsAreParsed(t *testing.T) {
	data := AppendHeader(nil, true)
	data = AppendTag(data, TypeVideo, 40, make([]byte, 100_000))
	data = AppendTag(data, TypeAudio, 0xfedcba98, []byte{1, 2, 3})
	var file File
	var sink sinkOf
	if err := file.Write(&sink, data); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sink.all, []seen{{TypeVideo, 40, 100_000}, {TypeAudio, 0xfedcba98, 3}}) {
		t.Errorf("%+v", sink.all)
	}
}
