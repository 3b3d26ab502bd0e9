package fanout

import (
	"sync/atomic"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/lab/groundtruth"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

const (
	// The viewers of a live stream are spread over liveSpread in steps: a keyframe for a thousand is some ten thousand
	// packets, and a camera's viewers should not wait longer than this for it.
	liveSpread = 16 * time.Millisecond
	liveSteps  = 6
)

// Viewer is the sending half of one viewer. After Loop.Add only the loop uses it.
//
// A viewer of the sample starts at the latest keyframe, at once, and stays that far behind the stream: up to one
// keyframe interval. So the first picture needs no wait and no burst, which a player takes for jitter and which may
// overflow a socket buffer. The viewers are spread over time by their own start. Live streams don't lag: their viewers
// wait for a keyframe, which is requested from the publisher.
type Viewer struct {
	Stream *Stream
	// To is where the viewer's packets go; ICE may move it.
	To atomic.Pointer[udp.Destination]
	// Keys encrypt what is sent to this viewer.
	Keys *srtp.Context
	// PayloadType per kind; 0 for a kind that the viewer did not request.
	PayloadType [media.Kinds]uint8
	// Repairs are the kinds that the viewer may request again.
	Repairs [media.Kinds]bool
	// RepairType is the payload type of retransmitted video (RTX); 0: retransmitted as the original packet.
	RepairType uint8
	// TransportExtension is the header extension with the transport-wide sequence number, 0 for none.
	TransportExtension [media.Kinds]uint8

	index      int
	present    bool
	first      uint64 // position of the first packet sent
	cursor     uint64 // position of the next packet
	delay      int64  // how far behind the stream
	nextDue    int64  // when the packet at cursor is due; 0 if unknown yet
	waiting    bool   // for a keyframe
	nextReport int64
	number     uint64 // in the order of the stream's viewers
	packets    [media.Kinds]uint32
	octets     [media.Kinds]uint32

	path              *conditions.Path // nil until there are conditions
	queued            int              // packets in order that are held
	repairSequence    uint16
	transportSequence uint16
	groundTruth       *groundtruth.Counter // under the stream's mutex; nil until the stream is measured
}

// Truth is the current ground truth of what was sent to the viewer; unknown for a stream that never had conditions.
func (v *Viewer) Truth() (figures protocol.LabSent, known bool) {
	v.Stream.mutex.Lock()
	defer v.Stream.mutex.Unlock()
	if v.groundTruth == nil {
		return protocol.LabSent{}, false
	}
	return v.groundTruth.Figures(v.Stream.clock()), true
}

// start sets the cursor to the viewer's first packet. The stream's mutex is held.
func (v *Viewer) start(now int64) {
	v.nextDue, v.delay = 0, 0
	if v.Stream.sample == nil {
		v.cursor, v.waiting = v.Stream.head, v.PayloadType[media.Video] != 0
		v.delay, v.first = int64(v.index%liveSteps)*int64(liveSpread/liveSteps), v.cursor
		return
	}
	if position, found := v.Stream.latestKeyframe(now); found {
		v.cursor, v.delay = position, now-v.Stream.ring[position%ringSize].due
		v.first = position
	}
}

// send adds all that is due to the batch. The stream's mutex is held.
func (l *Loop) send(v *Viewer, now int64) {
	s := v.Stream
	if v.cursor < s.tail { // the sender was stopped for longer than the ring covers
		v.start(now)
	}
	for v.cursor < s.head {
		p := &s.ring[v.cursor%ringSize]
		if v.nextDue = p.due + v.delay; v.nextDue > now {
			return
		}
		v.cursor++
		if v.waiting && !p.keyframe {
			continue
		}
		if v.waiting {
			v.waiting, v.first = false, v.cursor-1
		}
		l.sendPacket(v, v.cursor-1, now, false)
	}
	v.nextDue = 0
}

const (
	reportEvery = int64(2 * time.Second)

	// Cname is the canonical name in the reports and in the SDP answer.
	Cname = "lab"
)

// hasSent reports whether the viewer has got a packet: until then there is nothing to report.
func (v *Viewer) hasSent() bool { return v.packets != [media.Kinds]uint32{} }

// report sends a sender report per kind: players synchronize audio and video by them, and measure delay and round-trip
// time. Those of a live stream have the publisher's mapping. Packets of the sample are stamped when they are due to be
// sent, and the viewer plays behind the stream.
func (l *Loop) report(v *Viewer, now int64) {
	wall, at := ntp.Timestamp(v.Stream.SenderNow()), now
	if v.Stream.sample != nil {
		at -= v.delay
	}
	for kind := range media.Kinds {
		timestamp, known := v.Stream.timestampAt(kind, at)
		if v.PayloadType[kind] == 0 || v.packets[kind] == 0 || !known {
			continue
		}
		buffer := l.batch.Buffer()
		plain, err := rtcp.Marshal([]rtcp.Packet{
			&rtcp.SenderReport{SSRC: v.Stream.SSRC[kind], NTPTime: wall, RTPTime: timestamp, PacketCount: v.packets[kind],
				OctetCount: v.octets[kind]},
			rtcp.NewCNAMESourceDescription(v.Stream.SSRC[kind], Cname),
		})
		if err != nil {
			l.sealErrors++
			continue
		}
		sealed, err := v.Keys.EncryptRTCP(buffer, plain, nil)
		if err != nil {
			l.sealErrors++
			continue
		}
		l.batch.Add(len(sealed), v.To.Load())
	}
	v.nextReport = now + reportEvery
}
