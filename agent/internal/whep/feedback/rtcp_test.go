package feedback

import (
	"testing"

	"github.com/pion/rtcp"

	"fullhouse/agent/internal/stats"
)

func TestRTCPParsesLikeALibrary(t *testing.T) {
	report := stats.Report{FractionLost: 12, CumulativeLost: -3, Highest: 70000, Jitter: 55}
	data := AppendHeader(nil, 1, ReceiverReportType, 7, 77)
	data = AppendBlock(data, 99, report, SenderReport{MiddleNTP: 0xabcd, At: 1e9}, 15e8)
	data = AppendPLI(data, 77, 99)
	data = AppendNACK(data, 77, 99, []uint16{65534, 65535, 0, 14, 15, 40})
	packets, err := rtcp.Unmarshal(data)
	if err != nil || len(packets) != 3 {
		t.Fatalf("%d packets, %v", len(packets), err)
	}
	block := packets[0].(*rtcp.ReceiverReport).Reports[0]
	if block.SSRC != 99 || block.FractionLost != 12 || block.TotalLost != 0xfffffd || block.LastSequenceNumber != 70000 || block.Jitter != 55 ||
		block.LastSenderReport != 0xabcd || block.Delay != 32768 {
		t.Errorf("block %+v", block)
	}
	if pli := packets[1].(*rtcp.PictureLossIndication); pli.SenderSSRC != 77 || pli.MediaSSRC != 99 {
		t.Errorf("%+v", pli)
	}
	var missing []uint16
	for _, pair := range packets[2].(*rtcp.TransportLayerNack).Nacks {
		missing = append(missing, pair.PacketList()...)
	}
	if want := []uint16{65534, 65535, 0, 14, 15, 40}; len(missing) != len(want) || missing[0] != want[0] || missing[2] != 0 || missing[5] != 40 {
		t.Errorf("missing %v, want %v", missing, want)
	}
}

func TestBandwidthEstimatesParseLikeALibrary(t *testing.T) {
	for _, bitrate := range []uint64{0, 170_000, 262_143, 262_144, 12_345_678, 10_000_000_000} {
		var packet rtcp.ReceiverEstimatedMaximumBitrate
		if err := packet.Unmarshal(AppendREMB(nil, 1, bitrate, 99)); err != nil {
			t.Fatal(err)
		}
		if off := float64(packet.Bitrate)/float64(max(bitrate, 1)) - 1; bitrate > 0 && (off > 0.0001 || off < -0.0001) || packet.SSRCs[0] != 99 || packet.SenderSSRC != 1 {
			t.Errorf("%d is parsed as %+v", bitrate, packet)
		}
	}
}

func FuzzCompound(f *testing.F) {
	f.Add(AppendPLI(AppendHeader(nil, 0, ReceiverReportType, 1, 1), 1, 2))
	f.Fuzz(func(_ *testing.T, data []byte) {
		Compound(data, func(byte, []byte) {})
	})
}
