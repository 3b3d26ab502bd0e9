package rtp

import (
	"bytes"
	"testing"

	pion "github.com/pion/rtp"
)

func TestRTPHeaderAndPayloadAreFoundWhereALibraryFindsThem(t *testing.T) {
	for _, packet := range []*pion.Packet{
		{Header: pion.Header{Version: 2, PayloadType: 102, SequenceNumber: 65535, Timestamp: 1 << 31, SSRC: 0xfffffff0, Marker: true}, Payload: []byte{1, 2, 3}},
		{Header: pion.Header{Version: 2, PayloadType: 111, SequenceNumber: 1, CSRC: []uint32{1, 2, 3}}, Payload: []byte{9}},
		{Header: pion.Header{Version: 2, Extension: true, ExtensionProfile: 0xbede, Extensions: nil}, Payload: []byte{7, 7}},
		{Header: pion.Header{Version: 2, Padding: true, PaddingSize: 4}, Payload: []byte{5, 6}, PaddingSize: 4},
	} {
		data, err := packet.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		header := ReadHeader(data)
		if header != (Header{packet.Marker, packet.PayloadType, packet.SequenceNumber, packet.Timestamp, packet.SSRC}) {
			t.Errorf("header %+v of %+v", header, packet.Header)
		}
		if payload := Payload(data); !bytes.Equal(payload, packet.Payload) {
			t.Errorf("payload %v, want %v", payload, packet.Payload)
		}
	}
}

func TestMalformedPayloadsAreNil(t *testing.T) {
	header := make([]byte, 12)
	header[0] = 0x80
	for name, data := range map[string][]byte{
		"nothing after the header": header,
		"extension cut off":        append([]byte{0x90}, make([]byte, 13)...),
		"more CSRC than bytes":     append([]byte{0x8f}, make([]byte, 20)...),
		"more padding than bytes":  append(append([]byte{0xa0}, make([]byte, 14)...), 255),
	} {
		if payload := Payload(data); payload != nil {
			t.Errorf("%s: %v", name, payload)
		}
	}
}

func TestInspectH264(t *testing.T) {
	for _, test := range []struct {
		name        string
		payload     []byte
		starts, key bool
	}{
		{"nothing", nil, false, false},
		{"one byte", []byte{0x65}, false, false},
		{"IDR slice, first macroblock 0", []byte{0x65, 0x88}, true, true},
		{"IDR slice, a later one", []byte{0x65, 0x40}, false, true},
		{"slice, first macroblock 0", []byte{0x41, 0x9a}, true, false},
		{"slice, a later one", []byte{0x41, 0x20}, false, false},
		{"SPS", []byte{0x67, 0x42}, true, true},
		{"PPS", []byte{0x68, 0xce}, false, false},
		{"delimiter", []byte{0x09, 0xf0}, true, false},
		{"STAP-A with SPS and PPS", []byte{0x78, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xce}, true, true},
		{"STAP-A with a delimiter and a slice", []byte{0x78, 0, 2, 0x09, 0xf0, 0, 2, 0x41, 0x9a}, true, false},
		{"STAP-A with a size beyond its end", []byte{0x78, 0, 200, 0x67, 0x42}, false, false},
		{"FU-A start of an IDR", []byte{0x7c, 0x85, 0x88}, true, true},
		{"FU-A middle of an IDR", []byte{0x7c, 0x05, 0x88}, false, true},
		{"FU-A start of a slice", []byte{0x5c, 0x81, 0x9a}, true, false},
		{"FU-A cut off", []byte{0x7c, 0x85}, false, false},
	} {
		if starts, key := InspectH264(test.payload); starts != test.starts || key != test.key {
			t.Errorf("%s: starts %t, keyframe %t, want %t, %t", test.name, starts, key, test.starts, test.key)
		}
	}
}

func FuzzPacket(f *testing.F) {
	f.Add([]byte{0x90, 102, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xbe, 0xde, 0, 0, 0x7c, 0x85, 0x88})
	f.Fuzz(func(_ *testing.T, data []byte) {
		if len(data) < HeaderSize {
			return
		}
		ReadHeader(data)
		InspectH264(Payload(data))
	})
}
