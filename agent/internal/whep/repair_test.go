package whep

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"fullhouse/agent/internal/whep/sdp"
)

// again is a retransmission of a packet.
func again(original *rtp.Packet, sequence uint16) *rtp.Packet {
	copied := *original
	copied.Payload = append(binary.BigEndian.AppendUint16(nil, original.SequenceNumber), original.Payload...)
	copied.SequenceNumber, copied.PayloadType, copied.SSRC = sequence, rtxType, rtxSSRC
	return &copied
}

func TestARetransmissionOnItsOwnStreamRepairs(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{Video: sdp.Track{RTX: rtxType}})
	s.deliver(video(1, true), video(2, false), video(4, false))
	s.viewer.group.Tick(s.now)
	s.viewer.group.Tick(s.now.Add(20 * time.Millisecond))
	if compounds, packets := s.sent(); !slices.Equal(compounds, []string{"RR+NACK"}) || packets[1].(*rtcp.TransportLayerNack).Nacks[0].PacketID != 3 {
		t.Fatalf("%v", compounds)
	}
	s.deliver(again(video(3, false), 65535))
	s.deliver(again(video(3, false), 0), again(video(2, false), 1)) // a duplicate, and one that only probes
	reading := s.viewer.Read(s.now)
	if reading.Packets != 4 || reading.Repaired != 1 || reading.Lost != 0 || reading.Frames != 4 || s.viewer.unknown != 0 || s.viewer.damaged != 0 {
		t.Errorf("%+v, %d unknown, %d damaged", reading, s.viewer.unknown, s.viewer.damaged)
	}
	if f := s.pulse(0); f != nil {
		t.Fatal(f)
	}
	compounds, packets := s.sent()
	if !slices.Equal(compounds, []string{"RRvx"}) {
		t.Fatalf("%v", compounds)
	}
	if reports := packets[0].(*rtcp.ReceiverReport).Reports; reports[0].TotalLost != 1 || reports[1].LastSequenceNumber != 65537 {
		t.Errorf("the report hides the loss, or the retransmissions: %+v", reports)
	}
	s.context = keys(t, 9)
	s.deliver(again(video(4, false), 2))
	if s.viewer.damaged != 1 {
		t.Error("a retransmission with other keys was accepted")
	}
}
