package whep

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"

	"fullhouse/agent/internal/media/rtppayload"
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
	// All three are counted apart, one of them repaired.
	if r := reading.Repairs; !reading.HasRepairs || r.Retransmitted != 3 || r.Recovered != 1 || r.RetransmittedBytes < 3*300 || r.RetransmittedBytes > 3*400 || r.FEC != 0 {
		t.Errorf("%+v", r)
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

func TestARequestedPacketOnTheStreamItselfIsRecovered(t *testing.T) {
	s := establishedIn(t, Config{}, sdp.Answer{})
	s.deliver(video(1, true), video(3, false), video(2, false), video(5, false)) // 2 is only late
	s.viewer.group.Tick(s.now)
	s.viewer.group.Tick(s.now.Add(20 * time.Millisecond))
	s.deliver(video(4, false), video(4, false))
	reading := s.viewer.Read(s.now)
	if r := reading.Repairs; r.Recovered != 1 || r.Retransmitted != 0 || reading.Repaired != 2 || reading.Lost != 0 {
		t.Errorf("%+v", reading)
	}
}

func TestAParticipantCountsRepairsApart(t *testing.T) {
	s := establishedIn(t, Config{Room: &Room{Size: 2}}, sdp.Answer{})
	v := s.viewer
	v.room = &roomMedia{outgoing: []*outgoing{{}}, bySSRC: map[uint32]*roomTrack{}, repairs: map[uint32]*mediaStream{}, sources: []sdp.Source{
		{SSRC: videoSSRC, Track: "one"}, {SSRC: rtxSSRC, Track: "one", Repairs: videoSSRC}}}
	as := func(packet *rtp.Packet, payloadType uint8, ssrc uint32) *rtp.Packet {
		packet.PayloadType, packet.SSRC = payloadType, ssrc
		return packet
	}
	h264 := func(sequence int, keyframe bool) *rtp.Packet {
		return as(video(sequence, keyframe), sdp.SentPayloadType(false, rtppayload.H264), videoSSRC)
	}
	s.deliver(h264(1, true), h264(2, false), h264(4, false), as(again(video(3, false), 9), 109, rtxSSRC), as(video(7, false), 49, 99))
	reading := v.Read(s.now)
	if r := reading.Repairs; !reading.HasRepairs || reading.Packets != 4 || reading.Lost != 0 || r.Retransmitted != 1 || r.Recovered != 1 || r.FEC != 1 || v.unknown != 0 {
		t.Errorf("%+v, %d unknown", reading, v.unknown)
	}
	var kinds []string
	for _, stream := range v.Detail().Streams {
		kinds = append(kinds, stream.Kind+" "+stream.Codec)
	}
	slices.Sort(kinds)
	if !slices.Equal(kinds, []string{"fec flexfec", "repair rtx", "video H264"}) {
		t.Errorf("%q", kinds)
	}
}
