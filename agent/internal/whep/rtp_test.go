package whep

import (
	"bytes"
	"testing"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"fullhouse/agent/internal/stats"
)

func TestRTPHeaderAndPayloadAreFoundWhereALibraryFindsThem(t *testing.T) {
	for _, packet := range []*rtp.Packet{
		{Header: rtp.Header{Version: 2, PayloadType: 102, SequenceNumber: 65535, Timestamp: 1 << 31, SSRC: 0xfffffff0, Marker: true}, Payload: []byte{1, 2, 3}},
		{Header: rtp.Header{Version: 2, PayloadType: 111, SequenceNumber: 1, CSRC: []uint32{1, 2, 3}}, Payload: []byte{9}},
		{Header: rtp.Header{Version: 2, Extension: true, ExtensionProfile: 0xbede, Extensions: nil}, Payload: []byte{7, 7}},
		{Header: rtp.Header{Version: 2, Padding: true, PaddingSize: 4}, Payload: []byte{5, 6}, PaddingSize: 4},
	} {
		data, err := packet.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		header := readRTPHeader(data)
		if header != (rtpHeader{packet.Marker, packet.PayloadType, packet.SequenceNumber, packet.Timestamp, packet.SSRC}) {
			t.Errorf("header %+v of %+v", header, packet.Header)
		}
		if payload := rtpPayload(data); !bytes.Equal(payload, packet.Payload) {
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
		if payload := rtpPayload(data); payload != nil {
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
		if starts, key := inspectH264(test.payload); starts != test.starts || key != test.key {
			t.Errorf("%s: starts %t, keyframe %t, want %t, %t", test.name, starts, key, test.starts, test.key)
		}
	}
}

func TestRTCPReadsAsALibraryReadsIt(t *testing.T) {
	report := stats.Report{FractionLost: 12, CumulativeLost: -3, Highest: 70000, Jitter: 55}
	data := appendHeader(nil, 1, rtcpReceiverReport, 7, 77)
	data = appendBlock(data, 99, report, senderReport{middleNTP: 0xabcd, at: 1e9}, 15e8)
	data = appendDescription(data, 77, "name")
	data = appendPLI(data, 77, 99)
	data = appendNACK(data, 77, 99, []uint16{65534, 65535, 0, 14, 15, 40})
	packets, err := rtcp.Unmarshal(data)
	if err != nil || len(packets) != 4 {
		t.Fatalf("%d packets, %v", len(packets), err)
	}
	block := packets[0].(*rtcp.ReceiverReport).Reports[0]
	if block.SSRC != 99 || block.FractionLost != 12 || block.TotalLost != 0xfffffd || block.LastSequenceNumber != 70000 || block.Jitter != 55 ||
		block.LastSenderReport != 0xabcd || block.Delay != 32768 {
		t.Errorf("block %+v", block)
	}
	if chunk := packets[1].(*rtcp.SourceDescription).Chunks[0]; chunk.Source != 77 || chunk.Items[0].Text != "name" {
		t.Errorf("chunk %+v", chunk)
	}
	if pli := packets[2].(*rtcp.PictureLossIndication); pli.SenderSSRC != 77 || pli.MediaSSRC != 99 {
		t.Errorf("%+v", pli)
	}
	var missing []uint16
	for _, pair := range packets[3].(*rtcp.TransportLayerNack).Nacks {
		missing = append(missing, pair.PacketList()...)
	}
	if want := []uint16{65534, 65535, 0, 14, 15, 40}; len(missing) != len(want) || missing[0] != want[0] || missing[2] != 0 || missing[5] != 40 {
		t.Errorf("missing %v, want %v", missing, want)
	}
}

func TestDescriptionsAreOfWholeWords(t *testing.T) {
	for length := range 12 {
		data := appendDescription(nil, 1, "abcdefghijkl"[:length])
		var packet rtcp.SourceDescription
		if err := packet.Unmarshal(data); err != nil || packet.Chunks[0].Items[0].Text != "abcdefghijkl"[:length] {
			t.Errorf("length %d: %v", length, err)
		}
	}
}

func FuzzCompound(f *testing.F) {
	f.Add(appendPLI(appendDescription(nil, 1, "x"), 1, 2))
	f.Fuzz(func(_ *testing.T, data []byte) {
		compound(data, func(byte, []byte) {})
		if len(data) >= rtpHeaderSize {
			inspectH264(rtpPayload(data))
		}
	})
}
