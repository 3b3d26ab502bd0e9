package feedback

import (
	"reflect"
	"testing"
	"time"

	"github.com/pion/rtcp"
)

func marshal(tb testing.TB, packets ...rtcp.Packet) []byte {
	tb.Helper()
	data, err := rtcp.Marshal(packets)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// everything is one of each kind, written by an independent library.
func everything(tb testing.TB) []byte {
	tb.Helper()
	return marshal(tb,
		&rtcp.ReceiverReport{SSRC: 1, Reports: []rtcp.ReceptionReport{
			{SSRC: 11, FractionLost: 64, TotalLost: 0xffffff, Jitter: 900, LastSenderReport: 0x20000, Delay: 0x8000},
			{SSRC: 22, FractionLost: 1, TotalLost: 5}}},
		&rtcp.TransportLayerNack{SenderSSRC: 1, MediaSSRC: 11, Nacks: []rtcp.NackPair{{PacketID: 65535, LostPackets: 5}, {PacketID: 9}}},
		&rtcp.PictureLossIndication{SenderSSRC: 1, MediaSSRC: 11},
		&rtcp.FullIntraRequest{SenderSSRC: 1, MediaSSRC: 11, FIR: []rtcp.FIREntry{{SSRC: 11}}})
}

func TestACompoundPacketIsReadToItsEnd(t *testing.T) {
	var kinds [][2]uint8
	var reports []Report
	var lost [][2]uint16
	Compound(everything(t), func(p Packet) {
		kinds = append(kinds, [2]uint8{p.Type, p.Format})
		switch {
		case p.Type == ReceiverReport:
			Reports(p, 0x38000, func(r Report) { reports = append(reports, r) })
		case p.Type == Transport:
			if p.MediaSSRC() != 11 {
				t.Errorf("the NACK is about %d", p.MediaSSRC())
			}
			Lost(p, func(sequence, mask uint16) { lost = append(lost, [2]uint16{sequence, mask}) })
		}
	})
	if want := [][2]uint8{{201, 2}, {205, FormatNACK}, {206, FormatPLI}, {206, FormatFIR}}; !reflect.DeepEqual(kinds, want) {
		t.Errorf("kinds %v", kinds)
	}
	want := []Report{{SSRC: 11, FractionLost: 64, CumulativeLost: -1, Jitter: 900, RoundTrip: time.Second, HasRoundTrip: true},
		{SSRC: 22, FractionLost: 1, CumulativeLost: 5}}
	if !reflect.DeepEqual(reports, want) {
		t.Errorf("reports %+v", reports)
	}
	if want := [][2]uint16{{65535, 5}, {9, 0}}; !reflect.DeepEqual(lost, want) {
		t.Errorf("lost %v", lost)
	}
}

func TestASenderReportsBlocksFollowItsOwnFigures(t *testing.T) {
	found := 0
	Compound(marshal(t, &rtcp.SenderReport{SSRC: 1, Reports: []rtcp.ReceptionReport{{SSRC: 11, FractionLost: 7}}}), func(p Packet) {
		Reports(p, 0, func(r Report) {
			if found++; r.SSRC != 11 || r.FractionLost != 7 || r.HasRoundTrip {
				t.Errorf("%+v", r)
			}
		})
	})
	if found != 1 {
		t.Errorf("%d blocks", found)
	}
}

func feedbackOf(symbols rtcp.TransportLayerCC) Packet {
	var packet Packet
	data, err := symbols.Marshal()
	if err != nil {
		panic(err)
	}
	Compound(data, func(p Packet) { packet = p })
	return packet
}

func TestTransportWideFeedbackOfEachChunk(t *testing.T) {
	delta := func(kind uint16, microseconds int64) *rtcp.RecvDelta {
		return &rtcp.RecvDelta{Type: kind, Delta: microseconds}
	}
	small, large := uint16(rtcp.TypeTCCPacketReceivedSmallDelta), uint16(rtcp.TypeTCCPacketReceivedLargeDelta)
	packet := rtcp.TransportLayerCC{Header: rtcp.Header{Count: FormatTransportCC, Type: rtcp.TypeTransportSpecificFeedback, Length: 8, Padding: true},
		SenderSSRC: 1, MediaSSRC: 11, BaseSequenceNumber: 65530, PacketStatusCount: 3 + 14 + 2,
		PacketChunks: []rtcp.PacketStatusChunk{
			&rtcp.RunLengthChunk{Type: rtcp.TypeTCCRunLengthChunk, PacketStatusSymbol: small, RunLength: 3},
			&rtcp.StatusVectorChunk{Type: rtcp.TypeTCCStatusVectorChunk, SymbolSize: rtcp.TypeTCCSymbolSizeOneBit, SymbolList: []uint16{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
			&rtcp.StatusVectorChunk{Type: rtcp.TypeTCCStatusVectorChunk, SymbolSize: rtcp.TypeTCCSymbolSizeTwoBit, SymbolList: []uint16{large, 0, 0, 0, 0, 0, 0}}},
		RecvDeltas: []*rtcp.RecvDelta{delta(small, 60_000), delta(small, 1000), delta(small, 1000), delta(small, 2000), delta(small, 4000), delta(large, -500)}}
	report, err := ReadTransport(feedbackOf(packet))
	want := TransportReport{Base: 65530, Count: 19, Received: 6, Delta: 7500 * time.Microsecond, Steps: 5}
	if err != nil || report != want {
		t.Errorf("%+v, %v; want %+v", report, err, want)
	}
	whole := feedbackOf(packet)
	const used = 12 + 6 + 7
	for length := range used {
		short := whole
		short.Body = whole.Body[:length]
		if _, err := ReadTransport(short); err == nil {
			t.Errorf("%d of %d bytes are taken for the whole", length, used)
		}
	}
}

func FuzzCompound(f *testing.F) {
	f.Add(everything(f))
	f.Add([]byte{0x8f, 205, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0xff, 0xff, 0, 0, 0, 0, 0x3f, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, data []byte) {
		Compound(data, func(p Packet) {
			Reports(p, 7, func(Report) {})
			Lost(p, func(uint16, uint16) {})
			if report, err := ReadTransport(p); err == nil && (report.Received > report.Count || report.Steps >= max(report.Received, 1)) {
				t.Errorf("%+v", report)
			}
		})
	})
}
