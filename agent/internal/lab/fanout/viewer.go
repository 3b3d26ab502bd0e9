package fanout

import (
	"encoding/binary"
	"sync/atomic"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/lab/truth"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/steady"
)

const (
	// The viewers of a live stream are spread over liveSpread in steps: a keyframe for a thousand is some ten
	// thousand packets, and a camera's viewers should not wait longer than this for it.
	liveSpread = 16 * time.Millisecond
	liveSteps  = 6
)

// Viewer is one viewer's sending half. After Loop.Add only the loop touches it.
//
// A viewer of the sample starts at the latest keyframe, at once, and stays that far behind the stream: up to one
// keyframe interval. So the first picture comes without a wait, there is no burst to catch up (which a player takes
// for jitter and a socket buffer for too much), and the crowd is spread over time by its own arrivals. Live
// streams don't lag: their viewers wait for a keyframe, which the publisher is asked for.
type Viewer struct {
	Stream *Stream
	// To is where the viewer's packets go; ICE may move it.
	To atomic.Pointer[udp.Destination]
	// Keys encrypt what is sent to this viewer.
	Keys *srtp.Context
	// PayloadType per kind; 0 for a kind that the viewer did not ask for.
	PayloadType [media.Kinds]uint8
	// Repairs are the kinds that the viewer may ask for again.
	Repairs [media.Kinds]bool
	// RepairType is the payload type of retransmitted video (RTX); 0: it is sent again as it was.
	RepairType uint8
	// TransportExtension is the header extension with the transport-wide sequence number, 0 for none.
	TransportExtension [media.Kinds]uint8

	index      int
	present    bool
	first      uint64 // position of the first packet it got
	cursor     uint64 // position of the next packet
	delay      int64  // how far behind the stream
	nextDue    int64  // when the packet at cursor is to go; 0 when it isn't known yet
	waiting    bool   // for a keyframe
	nextReport int64
	number     uint64 // in the order of the stream's viewers
	packets    [media.Kinds]uint32
	octets     [media.Kinds]uint32

	path              *conditions.Path // nil until there are conditions
	queued            int              // packets in order that are held back
	repairSequence    uint16
	transportSequence uint16
	ledger            *truth.Ledger // under the stream's mutex; nil until the stream is measured
}

// Truth is what was really sent to the viewer, as it is now; not known of a stream that never had conditions.
func (v *Viewer) Truth() (figures truth.Figures, known bool) {
	v.Stream.mutex.Lock()
	defer v.Stream.mutex.Unlock()
	if v.ledger == nil {
		return truth.Figures{}, false
	}
	return v.ledger.Figures(v.Stream.clock()), true
}

// start puts the cursor where the viewer begins. The stream's mutex is held.
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

// send puts all that is due into the batch. The stream's mutex is held.
func (l *Loop) send(v *Viewer, now int64) {
	s := v.Stream
	if v.cursor < s.tail { // the sender was stopped for longer than the ring lasts
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
	reportEvery       = int64(2 * time.Second)
	senderReport      = 200
	sourceDescription = 202
	cname             = 1
	ntpEpoch          = 2_208_988_800 // 1900 to 1970 in seconds

	// Cname is the canonical name in the reports; the answer's SDP says the same.
	Cname = "lab"
)

// NTP is the moment as sender reports tell it: seconds since 1900 in the upper half, their fraction in the lower.
func NTP(t time.Time) uint64 {
	return uint64(t.Unix()+ntpEpoch)<<32 | uint64(t.Nanosecond())<<32/uint64(time.Second)
}

// report sends a sender report per kind: players line audio and video up by them, and measure the round trip.
func (l *Loop) report(v *Viewer, now int64) {
	wall := NTP(steady.Now())
	for kind := range media.Kinds {
		timestamp, known := v.Stream.timestampAt(kind, now-v.delay)
		if v.PayloadType[kind] == 0 || v.packets[kind] == 0 || !known {
			continue
		}
		buffer := l.batch.Buffer()
		plain := append(buffer[:0], 2<<6, senderReport, 0, 6)
		plain = binary.BigEndian.AppendUint32(plain, v.Stream.SSRC[kind])
		plain = binary.BigEndian.AppendUint64(plain, wall)
		plain = binary.BigEndian.AppendUint32(plain, timestamp)
		plain = binary.BigEndian.AppendUint32(plain, v.packets[kind])
		plain = binary.BigEndian.AppendUint32(plain, v.octets[kind])
		plain = append(plain, 2<<6|1, sourceDescription, 0, 3)
		plain = binary.BigEndian.AppendUint32(plain, v.Stream.SSRC[kind])
		plain = append(plain, cname, byte(len(Cname)))
		plain = append(plain, Cname...)
		plain = append(plain, 0, 0, 0) // ends the list and fills the word
		sealed, err := v.Keys.EncryptRTCP(buffer, plain, nil)
		if err != nil {
			l.sealErrors++
			continue
		}
		l.batch.Add(len(sealed), v.To.Load())
	}
	v.nextReport = now + reportEvery
}
