package rtp

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	pion "github.com/pion/rtp"

	"fullhouse/agent/internal/ntp"
)

// packetWith makes a packet with header extensions in the form of the profile.
func packetWith(t *testing.T, profile uint16, sources int, extensions map[uint8][]byte) []byte {
	t.Helper()
	packet := pion.Packet{Header: pion.Header{Version: 2, PayloadType: 102, CSRC: make([]uint32, sources), Extension: true, ExtensionProfile: profile}, Payload: []byte{9, 9}}
	for id := uint8(0); id < 200; id++ { // sorted, so that the preceding elements are known
		if value, found := extensions[id]; found {
			if err := packet.SetExtension(id, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	data, err := packet.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestExtensionsAreFoundWhereALibraryPutsThem(t *testing.T) {
	for _, test := range []struct {
		name       string
		profile    uint16
		sources    int
		extensions map[uint8][]byte
	}{
		{"one byte", 0xbede, 0, map[uint8][]byte{4: {0x12, 0x34}}},
		{"one byte, after others", 0xbede, 3, map[uint8][]byte{1: {1, 2, 3}, 2: {7}, 4: {0x12, 0x34}, 9: []byte("audio")}},
		{"two bytes", 0x1000, 0, map[uint8][]byte{4: {0x12, 0x34}}},
		{"two bytes, after others", 0x1000, 1, map[uint8][]byte{1: {}, 2: bytes.Repeat([]byte{5}, 40), 4: {0x12, 0x34}, 120: {1}}},
	} {
		data := packetWith(t, test.profile, test.sources, test.extensions)
		if sequence, found := TransportSequence(data, 4); !found || sequence != 0x1234 {
			t.Errorf("%s: %x, %t", test.name, sequence, found)
		}
		if _, found := TransportSequence(data, 5); found {
			t.Errorf("%s: a missing extension was found", test.name)
		}
		for id, value := range test.extensions {
			if got := Extension(data, id); !bytes.Equal(got, value) {
				t.Errorf("%s: extension %d is %v, want %v", test.name, id, got, value)
			}
		}
	}
}

func TestPaddingBetweenExtensionsIsSkipped(t *testing.T) {
	header := []byte{0x90, 102, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}
	one := append(bytes.Clone(header), 0xbe, 0xde, 0, 2, 0, 0, 0x10, 7, 0, 0x41, 0x12, 0x34)
	two := append(bytes.Clone(header), 0x10, 0x0f, 0, 2, 0, 1, 0, 0, 4, 2, 0x12, 0x34)
	for _, data := range [][]byte{one, two} {
		if sequence, found := TransportSequence(data, 4); !found || sequence != 0x1234 {
			t.Errorf("%x: %x, %t", data[12:], sequence, found)
		}
	}
	stopped := append(bytes.Clone(header), 0xbe, 0xde, 0, 2, 0xf0, 0, 0x41, 0x12, 0x34, 0, 0, 0)
	if _, found := TransportSequence(stopped, 4); found {
		t.Error("something was read after the id 15, which ends the elements")
	}
}

func TestMalformedExtensionsAreIgnored(t *testing.T) {
	header := []byte{0x90, 102, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}
	for name, elements := range map[string][]byte{
		"no room for the profile":         {0xbe, 0xde},
		"more words than bytes":           {0xbe, 0xde, 0, 2, 0x41, 0x12, 0x34, 0},
		"an element beyond its end":       {0xbe, 0xde, 0, 1, 0x4f, 0x12, 0x34, 0},
		"another length than two bytes":   {0xbe, 0xde, 0, 1, 0x40, 0x12, 0, 0},
		"two bytes, an element beyond":    {0x10, 0, 0, 1, 4, 9, 0x12, 0x34},
		"two bytes, cut off after the id": {0x10, 0, 0, 1, 0, 0, 0, 4},
		"another profile":                 {0xab, 0xcd, 0, 1, 0x41, 0x12, 0x34, 0},
	} {
		if sequence, found := TransportSequence(append(bytes.Clone(header), elements...), 4); found {
			t.Errorf("%s: %x", name, sequence)
		}
	}
}

func TestCaptureTimesOfBothFormats(t *testing.T) {
	captured := time.Date(2026, 11, 25, 12, 0, 0, 500_000_000, time.UTC).UnixNano()
	short := binary.BigEndian.AppendUint64(nil, ntp.Timestamp(captured))
	for _, test := range []struct {
		value []byte
		want  int64
	}{
		{short, captured},
		{binary.BigEndian.AppendUint64(bytes.Clone(short), 0), captured},
		{binary.BigEndian.AppendUint64(bytes.Clone(short), 3<<32), captured - 3e9}, // the capturing clock is 3 s ahead
		{binary.BigEndian.AppendUint64(bytes.Clone(short), 0xffffffff_80000000), captured + 0.5e9},
	} {
		data := packetWith(t, 0xbede, 0, map[uint8][]byte{2: {7}, 12: test.value})
		if got, found := CaptureTime(data, 12); !found || got != test.want {
			t.Errorf("%x: %d (found: %t), want %d", test.value, got, found, test.want)
		}
		if _, found := CaptureTime(data, 2); found {
			t.Error("an extension of another size is a capture time")
		}
	}
}

func TestTheOriginalOfARetransmission(t *testing.T) {
	sequence, rest, found := OriginalSequence([]byte{0xff, 0xfe, 0x41, 0x9a})
	if !found || sequence != 0xfffe || !bytes.Equal(rest, []byte{0x41, 0x9a}) {
		t.Errorf("%x, %v, %t", sequence, rest, found)
	}
	for _, payload := range [][]byte{nil, {1}, {1, 2}} {
		if _, _, found := OriginalSequence(payload); found {
			t.Errorf("%v was accepted as a retransmission", payload)
		}
	}
}

func FuzzExtension(f *testing.F) {
	f.Add([]byte{0x90, 102, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xbe, 0xde, 0, 1, 0x41, 0x12, 0x34, 0}, uint8(4))
	f.Add([]byte{0x91, 102, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 9, 0x10, 0, 0, 1, 4, 2, 0x12, 0x34}, uint8(4))
	f.Fuzz(func(t *testing.T, data []byte, id uint8) {
		value := Extension(data, id)
		var library pion.Header
		if _, err := library.Unmarshal(data); err != nil || id == 0 || id == 15 {
			return
		}
		if want := library.GetExtension(id); len(want) > 0 && (library.ExtensionProfile == oneByteProfile) && !bytes.Equal(value, want) {
			t.Errorf("%v, a library finds %v", value, want)
		}
	})
}
