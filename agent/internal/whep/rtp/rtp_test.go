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

func FuzzPacket(f *testing.F) {
	f.Add([]byte{0x90, 102, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xbe, 0xde, 0, 0, 0x7c, 0x85, 0x88})
	f.Fuzz(func(_ *testing.T, data []byte) {
		if len(data) < HeaderSize {
			return
		}
		ReadHeader(data)
		Payload(data)
	})
}
