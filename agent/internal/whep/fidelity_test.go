package whep

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"fullhouse/agent/internal/whep/sdp"
)

const (
	rtxType   = 103
	rtxSSRC   = 9
	extension = 4
)

// sent parses what the viewer has sent, packet by packet, as kinds of compound packets and the packets themselves.
func (s *sender) sent() (compounds []string, packets []rtcp.Packet) {
	s.t.Helper()
	buffer := make([]byte, 2048)
	reader := keys(s.t, 2)
	for {
		if err := s.sink.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
			s.t.Fatal(err)
		}
		n, err := s.sink.Read(buffer)
		if err != nil {
			return compounds, packets
		}
		if buffer[0] < 128 {
			continue // consent
		}
		plain, err := reader.DecryptRTCP(nil, buffer[:n], nil)
		if err != nil {
			s.t.Fatal(err)
		}
		compound, err := rtcp.Unmarshal(plain)
		if err != nil {
			s.t.Fatalf("%v: %x", err, plain)
		}
		name := ""
		for _, packet := range compound {
			switch p := packet.(type) {
			case *rtcp.ReceiverReport:
				name += "RR"
				for _, report := range p.Reports {
					name += map[uint32]string{videoSSRC: "v", audioSSRC: "a", rtxSSRC: "x"}[report.SSRC]
				}
			case *rtcp.TransportLayerNack:
				name += "+NACK"
			case *rtcp.PictureLossIndication:
				name += "+PLI"
			case *rtcp.ReceiverEstimatedMaximumBitrate:
				name += "+REMB"
			case *rtcp.TransportLayerCC:
				name += "TWCC"
			}
		}
		compounds, packets = append(compounds, name), append(packets, compound...)
	}
}

// round gives each viewer of the group its turn.
func (s *sender) round() {
	for range mediaOnlyTurns + 1 {
		s.now = s.now.Add(turnLength)
		s.viewer.group.Tick(s.now)
	}
}

// numberedBy adds the transport-wide sequence number to packets.
func numberedBy(t *testing.T, first uint16, packets ...*rtp.Packet) []*rtp.Packet {
	t.Helper()
	for i, packet := range packets {
		if err := packet.SetExtension(extension, binary.BigEndian.AppendUint16(nil, first+uint16(i))); err != nil {
			t.Fatal(err)
		}
	}
	return packets
}

func TestTransportWideFeedbackIsSentInTurns(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{TransportCC: extension})
	s.deliver(numberedBy(t, 65534, video(1, true), audio(1), video(2, false))...)
	s.round()
	compounds, packets := s.sent()
	if !slices.Equal(compounds, []string{"TWCC"}) {
		t.Fatalf("%v", compounds)
	}
	feedback := packets[0].(*rtcp.TransportLayerCC)
	if feedback.SenderSSRC != receiverSSRC || feedback.MediaSSRC != videoSSRC || feedback.BaseSequenceNumber != 65534 || feedback.PacketStatusCount != 3 {
		t.Errorf("%+v", feedback)
	}
	if got := feedback.RecvDeltas[1].Delta + feedback.RecvDeltas[2].Delta; got < 79_500 || got > 80_500 {
		t.Errorf("two packets 40 ms apart are reported %d us apart", got)
	}
	s.viewer.disconnecting = true
	s.deliver(numberedBy(t, 1, video(3, false))...)
	s.round()
	if compounds, _ := s.sent(); len(compounds) != 0 || len(slices.Concat(s.viewer.group.turns...)) != 0 {
		t.Errorf("a disconnecting one sends %v, or keeps its turn", compounds)
	}
}

func TestTurnsAreSpreadEvenly(t *testing.T) {
	group := NewGroup(Config{})
	for range 95 {
		(&Viewer{group: group}).accept(sdp.Answer{TransportCC: extension})
	}
	group.Tick(time.Now())
	for i, turn := range group.turns {
		if len(turn) < 9 || len(turn) > 10 {
			t.Errorf("turn %d has %d of 95 viewers", i, len(turn))
		}
	}
}

func TestManyPacketsDoNotWaitForTheirTurn(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{TransportCC: extension})
	for i := range 300 {
		s.deliver(numberedBy(t, uint16(i), video(i, i == 0))...)
	}
	_, packets := s.sent()
	told := 0
	for _, packet := range packets {
		told += int(packet.(*rtcp.TransportLayerCC).PacketStatusCount)
	}
	if told < 192 {
		t.Errorf("%d of 300 packets are reported", told)
	}
}

func TestAFullViewerReportsLikeABrowser(t *testing.T) {
	s := establishedIn(t, Config{Fidelity: Browser}, sdp.Answer{Video: sdp.Track{REMB: true, RTX: rtxType}})
	s.deliver(video(1, false))
	if compounds, _ := s.sent(); !slices.Equal(compounds, []string{"RR+PLI"}) {
		t.Errorf("%v for a stream joined midway", compounds)
	}
	counts := map[string]int{}
	for i := range 12 * 100 {
		s.now = s.now.Add(10 * time.Millisecond)
		if i%4 == 0 {
			packet := s.encrypt(video(2+i/4, i == 0))
			if i != 400 {
				s.viewer.Datagram(packet, netip.AddrPort{}, s.now.UnixNano())
			}
		}
		if i%6 == 0 {
			s.viewer.Datagram(s.encrypt(audio(i/6)), netip.AddrPort{}, s.now.UnixNano())
		}
		s.viewer.group.Tick(s.now)
		if i%100 == 0 {
			if f := s.viewer.Tick(s.now); f != nil {
				t.Fatal(f)
			}
			compounds, _ := s.sent()
			for _, compound := range compounds {
				counts[compound]++
			}
		}
	}
	for kind, bounds := range map[string][2]int{"RRv": {3, 12}, "RRa": {1, 5}, "RRv+REMB": {25, 35}, "RRv+NACK": {1, 3}} {
		if counts[kind] < bounds[0] || counts[kind] > bounds[1] {
			t.Errorf("%d of %s in 12 s, want %d to %d: %v", counts[kind], kind, bounds[0], bounds[1], counts)
		}
		delete(counts, kind)
	}
	delete(counts, "RR+PLI") // the lost frame's
	if len(counts) != 0 {
		t.Errorf("also %v", counts)
	}
	if reading := s.viewer.Read(s.now); reading.Lost != 1 || reading.Damaged != 0 {
		t.Errorf("%+v", reading)
	}
}

func TestTheSampleHasItsShareAndAnOffsetPerViewer(t *testing.T) {
	for _, test := range []struct {
		fidelity Fidelity
		percent  float64
		want     float64
	}{{MediaOnly, 0, 0}, {MediaOnly, 0.2, 0.2}, {MediaOnly, 5, 5}, {MediaOnly, 33.3, 33.3}, {MediaOnly, 100, 100}, {Browser, 0, 100}} {
		group := NewGroup(Config{Fidelity: test.fidelity, DecryptPercent: test.percent})
		places := map[int]bool{}
		for range 20 {
			sample, chosen, first := group.newSampler(), 0, -1
			for i := range 100_000 {
				if sample.due() {
					chosen++
					if first < 0 {
						first = i
					}
				}
			}
			places[first] = true
			if share := float64(chosen) / 1000; share < test.want-0.002 || share > test.want+0.002 {
				t.Errorf("%v%% of fidelity %d: %v%% are selected", test.percent, test.fidelity, share)
			}
		}
		if test.percent == 0.2 && len(places) < 10 {
			t.Errorf("20 viewers start at %d positions", len(places))
		}
	}
}

func TestChangedKeysAreCounted(t *testing.T) {
	for name, config := range map[string]Config{"the sample": {DecryptPercent: 5}, "everything": {Fidelity: Browser}} {
		s := establishedIn(t, config, sdp.Answer{})
		s.deliver(audio(1), audio(2), audio(3), audio(4), audio(5))
		s.context = keys(t, 9)
		for i := range 40 {
			s.deliver(audio(6 + i))
		}
		if reading := s.viewer.Read(s.now); reading.Damaged < maxDamaged || reading.Failure == nil || reading.Failure.Cause.String() != "undecryptable" {
			t.Errorf("%s: %d damaged, %v", name, reading.Damaged, reading.Failure)
		}
	}
}

func TestAFeedbackAllocatesNothingOfOurs(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{TransportCC: extension})
	s.deliver(numberedBy(t, 0, video(1, true))...)
	sequence := uint16(1)
	if allocations := testing.AllocsPerRun(200, func() {
		for range 6 {
			s.viewer.transportCC.Receive(sequence, int64(sequence)*16e6)
			sequence++
		}
		if !s.viewer.Feedback(s.now.UnixNano()) {
			t.Fatal("the viewer has disconnected")
		}
	}); allocations > 1 { // one is the SRTP library's
		t.Errorf("%v allocations per feedback", allocations)
	}
}
