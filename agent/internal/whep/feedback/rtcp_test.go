package feedback

import (
	"testing"

	"github.com/pion/rtcp"

	"fullhouse/agent/internal/stats"
)

func TestRTCPReadsAsALibraryReadsIt(t *testing.T) {
	report := stats.Report{FractionLost: 12, CumulativeLost: -3, Highest: 70000, Jitter: 55}
	data := AppendHeader(nil, 1, ReceiverReportType, 7, 77)
	data = AppendBlock(data, 99, report, SenderReport{MiddleNTP: 0xabcd, At: 1e9}, 15e8)
	data = AppendDescription(data, 77, "name")
	data = AppendPLI(data, 77, 99)
	data = AppendNACK(data, 77, 99, []uint16{65534, 65535, 0, 14, 15, 40})
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
		data := AppendDescription(nil, 1, "abcdefghijkl"[:length])
		var packet rtcp.SourceDescription
		if err := packet.Unmarshal(data); err != nil || packet.Chunks[0].Items[0].Text != "abcdefghijkl"[:length] {
			t.Errorf("length %d: %v", length, err)
		}
	}
}

func FuzzCompound(f *testing.F) {
	f.Add(AppendPLI(AppendDescription(nil, 1, "x"), 1, 2))
	f.Fuzz(func(_ *testing.T, data []byte) {
		Compound(data, func(byte, []byte) {})
	})
}
