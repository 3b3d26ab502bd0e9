package content

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fullhouse/agent/internal/budget"
)

const (
	// maxBox bounds boxes that are kept: moov and moof have headers only.
	maxBox = 1 << 20
	// maxTracks bounds the tracks of an initialization section; each fragment is looked up in them.
	maxTracks = 64
	// maxFrames bounds the samples that the fragments of a segment announce: an hour at 100 a second.
	maxFrames = 360_000
)

var errMP4 = errors.New("the segment is not valid fragmented MP4")

// boxKinds are the boxes that a segment or an initialization section may start with.
var boxKinds = map[string]bool{"ftyp": true, "styp": true, "moof": true, "moov": true, "sidx": true, "emsg": true,
	"prft": true, "free": true, "skip": true, "mdat": true, "ssix": true, "uuid": true}

func isBox(data []byte) bool { return boxKinds[string(data[4:8])] }

// boxes walks the boxes of a file (ISO/IEC 14496-12) in pieces of any size; only moov and moof are kept.
type boxes struct {
	header []byte
	kind   string
	left   uint64
	body   []byte
	isOpen bool // up to the end of the file
	inBox  bool
}

func (b *boxes) write(data []byte, onBox func(kind string, body []byte) error) error {
	for len(data) > 0 {
		if !b.inBox {
			var err error
			if data, err = b.readHeader(data); err != nil {
				return err
			}
			if b.inBox && b.left == 0 && !b.isOpen {
				if err := b.finish(onBox); err != nil {
					return err
				}
			}
			continue
		}
		if b.isOpen {
			return nil
		}
		count := min(b.left, uint64(len(data)))
		if b.isKept() {
			b.body = append(b.body, data[:count]...)
		}
		data = data[count:]
		if b.left -= count; b.left == 0 {
			if err := b.finish(onBox); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *boxes) isKept() bool { return b.kind == "moov" || b.kind == "moof" }

func (b *boxes) readHeader(data []byte) (rest []byte, err error) {
	need := 8
	if len(b.header) >= 8 {
		need = 16 // a size of 64 bits follows
	}
	count := min(need-len(b.header), len(data))
	b.header = append(b.header, data[:count]...)
	data = data[count:]
	if len(b.header) < need {
		return data, nil
	}
	size, head := uint64(binary.BigEndian.Uint32(b.header)), uint64(len(b.header))
	if size == 1 {
		if head == 8 {
			return data, nil
		}
		size = binary.BigEndian.Uint64(b.header[8:])
	}
	b.kind, b.isOpen = string(b.header[4:8]), size == 0
	if !b.isOpen && size < head || b.isKept() && (b.isOpen || size > maxBox) {
		return nil, errMP4
	}
	b.left, b.inBox, b.header, b.body = size-head, true, b.header[:0], b.body[:0]
	if b.isOpen {
		b.left = 0
	}
	return data, nil
}

func (b *boxes) finish(onBox func(kind string, body []byte) error) error {
	b.inBox = false
	return onBox(b.kind, b.body)
}

// each calls found for the boxes within a box.
func each(body []byte, onBox func(kind string, body []byte)) {
	for len(body) >= 8 {
		size := uint64(binary.BigEndian.Uint32(body))
		if size < 8 || size > uint64(len(body)) {
			return
		}
		onBox(string(body[4:8]), body[8:size])
		body = body[size:]
	}
}

// track is one track of an initialization section.
type track struct {
	id      uint32
	handler string
	codec   string
}

// Init is an initialization section.
type Init struct{ tracks []track }

// ReadInit reads an initialization section.
func ReadInit(data []byte) (*Init, error) {
	init := &Init{}
	var walk boxes
	err := walk.write(data, func(kind string, body []byte) error {
		if kind == "moov" {
			each(body, func(kind string, body []byte) {
				if kind == "trak" && len(init.tracks) <= maxTracks {
					init.tracks = append(init.tracks, readTrack(body))
				}
			})
		}
		return nil
	})
	switch {
	case err != nil:
	case len(init.tracks) == 0:
		err = errors.New("the initialization section has no tracks")
	case len(init.tracks) > maxTracks:
		err = &budget.Exceeded{Input: "the initialization section", Limit: fmt.Sprintf("%d tracks", maxTracks)}
	}
	return init, err
}

// sampleEntries are the codecs of video by their four characters.
var sampleEntries = map[string]string{"avc1": "H.264", "avc3": "H.264", "hvc1": "H.265", "hev1": "H.265", "av01": "AV1",
	"vp08": "VP8", "vp09": "VP9", "mp4v": "MPEG-4"}

func readTrack(body []byte) track {
	var t track
	each(body, func(kind string, body []byte) {
		switch {
		case kind == "tkhd" && len(body) >= 24:
			at := 12
			if body[0] == 1 { // times of 64 bits
				at = 20
			}
			t.id = binary.BigEndian.Uint32(body[at:])
		case kind == "mdia":
			each(body, func(kind string, body []byte) {
				switch {
				case kind == "hdlr" && len(body) >= 12:
					t.handler = string(body[8:12])
				case kind == "minf":
					t.codec = readCodec(body)
				}
			})
		}
	})
	return t
}

func readCodec(body []byte) (codec string) {
	each(body, func(kind string, body []byte) {
		if kind != "stbl" {
			return
		}
		each(body, func(kind string, body []byte) {
			if kind == "stsd" && len(body) >= 16 {
				codec = sampleEntries[string(body[12:16])]
			}
		})
	})
	return codec
}

// count counts the samples of a movie fragment.
func (i *Init) count(moof []byte, content *Found) error {
	if i == nil {
		return errors.New("the segment needs an initialization section, which the playlist does not name")
	}
	each(moof, func(kind string, body []byte) {
		if kind != "traf" {
			return
		}
		var id uint32
		samples := 0
		each(body, func(kind string, body []byte) {
			switch {
			case kind == "tfhd" && len(body) >= 8:
				id = binary.BigEndian.Uint32(body[4:])
			case kind == "trun" && len(body) >= 8:
				samples = min(samples+int(binary.BigEndian.Uint32(body[4:])), maxFrames+1)
			}
		})
		for _, t := range i.tracks {
			if t.id != id {
				continue
			}
			if t.handler == "vide" {
				content.VideoFrames += samples
				content.Codec = t.codec
			} else if t.handler == "soun" {
				content.AudioFrames += samples
			}
		}
	})
	if max(content.VideoFrames, content.AudioFrames) > maxFrames {
		return &budget.Exceeded{Input: "the segment", Limit: fmt.Sprintf("%d frames", maxFrames)}
	}
	return nil
}
