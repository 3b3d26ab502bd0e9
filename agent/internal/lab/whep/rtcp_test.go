package whep

import (
	"reflect"
	"testing"
	"time"

	"github.com/pion/rtcp"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

// streams are the SSRCs of the video and the audio.
var streams = [media.Kinds]uint32{11, 22}

func marshal(tb testing.TB, packets ...rtcp.Packet) []byte {
	tb.Helper()
	data, err := rtcp.Marshal(packets)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// oneOfEachKind is a compound packet with one packet of each kind that the lab evaluates.
func oneOfEachKind(tb testing.TB, lastSenderReport uint32) []byte {
	tb.Helper()
	return marshal(tb,
		&rtcp.ReceiverReport{SSRC: 1, Reports: []rtcp.ReceptionReport{
			{SSRC: 11, FractionLost: 64, TotalLost: 0xffffff, Jitter: 900, LastSenderReport: lastSenderReport, Delay: 0x8000},
			{SSRC: 22, FractionLost: 1, TotalLost: 5}}},
		&rtcp.TransportLayerNack{SenderSSRC: 1, MediaSSRC: 11, Nacks: []rtcp.NackPair{{PacketID: 65535, LostPackets: 5}, {PacketID: 9}}},
		&rtcp.PictureLossIndication{SenderSSRC: 1, MediaSSRC: 11},
		&rtcp.FullIntraRequest{SenderSSRC: 1, MediaSSRC: 11, FIR: []rtcp.FIREntry{{SSRC: 11}}})
}

func noteAll(data []byte) *reports {
	r := &reports{}
	splitCompound(data, func(p rtcpPacket) { r.note(p, streams, monotonic.Nano()) })
	return r
}

func TestACompoundPacketIsReadToItsEnd(t *testing.T) {
	sentAt := monotonic.Nano() - 1500e6
	figures := noteAll(oneOfEachKind(t, ntp.Middle(ntp.Timestamp(sentAt)))).figures()
	if want := map[string]int{"201": 1, "205": 1, "206": 2}; !reflect.DeepEqual(figures.RTCP, want) {
		t.Errorf("packets by type %v", figures.RTCP)
	}
	if figures.NACKs != 1 || figures.NackedPackets != 4 || figures.PLIs != 1 || figures.FIRs != 1 {
		t.Errorf("requests %+v", figures)
	}
	video := figures.VideoReport
	if video == nil || video.FractionLostPercent != 25 || video.CumulativeLost != -1 || video.JitterMs != 10 || video.RoundTripMs == nil ||
		*video.RoundTripMs < 1000 || *video.RoundTripMs > 1400 {
		t.Errorf("video %+v", video)
	}
	want := protocol.LabReport{FractionLostPercent: 100.0 / 256, CumulativeLost: 5}
	if figures.AudioReport == nil || !reflect.DeepEqual(*figures.AudioReport, want) {
		t.Errorf("audio %+v", figures.AudioReport)
	}
}

func TestTheRoundTripIsWithoutTheViewersDelay(t *testing.T) {
	const now = int64(1_700_000_000e9)
	last := ntp.Middle(ntp.Timestamp(now - 1500e6))
	roundTrip, known := roundTripOf(rtcp.ReceptionReport{LastSenderReport: last, Delay: 0x8000}, now)
	if !known || roundTrip != time.Second {
		t.Errorf("%s, known: %v", roundTrip, known)
	}
	for name, report := range map[string]rtcp.ReceptionReport{"no sender report": {}, "from the future": {LastSenderReport: last + 3<<16}} {
		if _, known := roundTripOf(report, now); known {
			t.Errorf("%s: known", name)
		}
	}
}

func TestASenderReportsBlocksAreRead(t *testing.T) {
	figures := noteAll(marshal(t, &rtcp.SenderReport{SSRC: 1, Reports: []rtcp.ReceptionReport{{SSRC: 11, FractionLost: 128}}})).figures()
	if figures.VideoReport == nil || figures.VideoReport.FractionLostPercent != 50 || figures.VideoReport.RoundTripMs != nil {
		t.Errorf("%+v", figures.VideoReport)
	}
}

func TestTransportWideFeedbackOfEachChunk(t *testing.T) {
	delta := func(kind uint16, microseconds int64) *rtcp.RecvDelta {
		return &rtcp.RecvDelta{Type: kind, Delta: microseconds}
	}
	small, large := uint16(rtcp.TypeTCCPacketReceivedSmallDelta), uint16(rtcp.TypeTCCPacketReceivedLargeDelta)
	packet := rtcp.TransportLayerCC{
		Header:     rtcp.Header{Count: rtcp.FormatTCC, Type: rtcp.TypeTransportSpecificFeedback, Length: 8, Padding: true},
		SenderSSRC: 1, MediaSSRC: 11, BaseSequenceNumber: 65530, PacketStatusCount: 3 + 14 + 2,
		PacketChunks: []rtcp.PacketStatusChunk{
			&rtcp.RunLengthChunk{Type: rtcp.TypeTCCRunLengthChunk, PacketStatusSymbol: small, RunLength: 3},
			&rtcp.StatusVectorChunk{Type: rtcp.TypeTCCStatusVectorChunk, SymbolSize: rtcp.TypeTCCSymbolSizeOneBit,
				SymbolList: []uint16{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
			&rtcp.StatusVectorChunk{Type: rtcp.TypeTCCStatusVectorChunk, SymbolSize: rtcp.TypeTCCSymbolSizeTwoBit,
				SymbolList: []uint16{large, 0, 0, 0, 0, 0, 0}}},
		RecvDeltas: []*rtcp.RecvDelta{delta(small, 60_000), delta(small, 1000), delta(small, 1000), delta(small, 2000), delta(small, 4000),
			delta(large, -500)}}
	data := marshal(t, &packet)
	want := protocol.LabTransportCC{Packets: 1, Received: 6, Lost: 13, MeanDeltaMs: 1.5} // 7.5 ms in five steps
	if got := noteAll(data).figures().TransportCC; got != want {
		t.Errorf("%+v; want %+v", got, want)
	}
	// A truncated one counts as malformed, and the packets before it are kept.
	for words := byte(3); words <= 6; words++ {
		short := append([]byte(nil), data[:4*(1+int(words))]...)
		short[0] &^= 1 << 5 // the padding is cut off too
		short[3] = words
		figures := noteAll(append(marshal(t, &rtcp.PictureLossIndication{SenderSSRC: 1, MediaSSRC: 11}), short...)).figures()
		if figures.TransportCC != (protocol.LabTransportCC{Malformed: 1}) || figures.PLIs != 1 {
			t.Errorf("%d words: %+v", words, figures)
		}
	}
}

func FuzzCompound(f *testing.F) {
	f.Add(oneOfEachKind(f, 0x20000))
	f.Add([]byte{0x8f, 205, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0xff, 0xff, 0, 0, 0, 0, 0x3f, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		if figures := noteAll(data).figures(); figures.TransportCC.Received < 0 || figures.TransportCC.Lost < 0 {
			t.Errorf("%+v", figures.TransportCC)
		}
	})
}
