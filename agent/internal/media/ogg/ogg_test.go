package ogg

import (
	"bytes"
	"testing"
	"time"
)

// page makes one with the segment sizes and their bytes; serial number and checksum are not checked.
func page(segments []byte, body []byte) []byte {
	header := make([]byte, pageHeaderLen)
	copy(header, "OggS")
	header[pageHeaderLen-1] = byte(len(segments))
	return append(append(header, segments...), body...)
}

func TestPacketsCrossSegmentsAndPages(t *testing.T) {
	long := bytes.Repeat([]byte{7}, 255+255+10)
	file := page([]byte{8}, []byte("OpusHead"))
	file = append(file, page([]byte{8}, []byte("OpusTags"))...)
	file = append(file, page([]byte{3, 255}, append([]byte("abc"), long[:255]...))...)
	file = append(file, page([]byte{255, 10, 255, 0}, append(append([]byte(nil), long[255:]...), bytes.Repeat([]byte{8}, 255)...))...)
	packets, err := OpusPackets(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(packets) != 3 || string(packets[0]) != "abc" || !bytes.Equal(packets[1], long) || len(packets[2]) != 255 {
		t.Errorf("%d packets: %v", len(packets), packets)
	}
	for name, wrong := range map[string][]byte{"no page": []byte("RIFF"), "cut in a page": file[:len(file)-1], "cut in a header": file[:20],
		"no Opus": append(page([]byte{3}, []byte("abc")), file...)} {
		if _, err := OpusPackets(wrong); err == nil {
			t.Errorf("%s: accepted as Opus", name)
		}
	}
}

func TestDurationsByTheTableOfContents(t *testing.T) {
	for _, c := range []struct {
		packet []byte
		want   time.Duration
	}{
		{[]byte{3 << 3}, 60 * time.Millisecond}, {[]byte{1<<3 | 1}, 40 * time.Millisecond}, {[]byte{12 << 3}, 10 * time.Millisecond},
		{[]byte{13 << 3}, 20 * time.Millisecond}, {[]byte{16 << 3}, 2500 * time.Microsecond}, {[]byte{31<<3 | 2}, 40 * time.Millisecond},
		{[]byte{31<<3 | 3, 0x80 | 3}, 60 * time.Millisecond},
	} {
		if got, err := OpusDuration(c.packet); err != nil || got != c.want {
			t.Errorf("% x: %s, %v; want %s", c.packet, got, err, c.want)
		}
	}
	for _, wrong := range [][]byte{nil, {3}} {
		if _, err := OpusDuration(wrong); err == nil {
			t.Errorf("% x has a duration", wrong)
		}
	}
}
