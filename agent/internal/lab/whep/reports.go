package whep

import (
	"math/bits"
	"strconv"
	"sync"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/ntp"
	"fullhouse/agent/internal/protocol"
)

// degradedFraction is 2 % in a receiver report's 256ths; a viewer above it is degraded.
const degradedFraction = protocol.DegradedMaxLossPercent * 256 / 100

// reports collects what is received of one viewer: the reader writes, others read.
type reports struct {
	mutex    sync.Mutex
	agent    string
	role     string
	types    map[uint8]int
	nacks    int
	nacked   int
	plis     int
	firs     int
	streams  [media.Kinds]*protocol.LabReport
	degraded [media.Kinds]bool
	tcc      protocol.LabTransportCC
	delta    time.Duration
	steps    int
}

// NoteUserAgent stores the viewer's User-Agent.
func (s *Session) NoteUserAgent(name string) {
	s.received.mutex.Lock()
	defer s.received.mutex.Unlock()
	s.received.agent = name
}

func (r *reports) noteRole(request *stun.Message) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	switch {
	case request.Contains(stun.AttrICEControlling):
		r.role = "controlling"
	case request.Contains(stun.AttrICEControlled):
		r.role = "controlled"
	}
}

// note counts a packet. senderNow is the time of the clock of our sender reports.
func (r *reports) note(p rtcpPacket, ssrc [media.Kinds]uint32, senderNow int64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.types == nil {
		r.types = map[uint8]int{}
	}
	r.types[uint8(p.header.Type)]++
	if p.err != nil && p.isTransportFeedback() {
		r.tcc.Malformed++
	}
	switch content := p.content.(type) {
	case *rtcp.SenderReport:
		r.noteReports(content.Reports, ssrc, senderNow)
	case *rtcp.ReceiverReport:
		r.noteReports(content.Reports, ssrc, senderNow)
	case *rtcp.TransportLayerNack:
		r.nacks++
		for _, pair := range content.Nacks {
			r.nacked += 1 + bits.OnesCount16(uint16(pair.LostPackets))
		}
	case *rtcp.TransportLayerCC:
		r.noteTransport(content)
	case *rtcp.PictureLossIndication:
		r.plis++
	case *rtcp.FullIntraRequest:
		r.firs++
	}
}

func (r *reports) noteReports(list []rtcp.ReceptionReport, ssrc [media.Kinds]uint32, senderNow int64) {
	for _, report := range list {
		for kind := range media.Kinds {
			if report.SSRC != ssrc[kind] {
				continue
			}
			const signBits = 32 - 24 // the loss is a signed number of 24 bits
			stream := &protocol.LabReport{FractionLostPercent: float64(report.FractionLost) * 100 / 256,
				CumulativeLost: int32(report.TotalLost<<signBits) >> signBits,
				JitterMs:       float64(report.Jitter) * 1000 / float64(kind.ClockRate())}
			if roundTrip, known := roundTripOf(report, senderNow); known {
				ms := float64(roundTrip) / float64(time.Millisecond)
				stream.RoundTripMs = &ms
			}
			r.streams[kind], r.degraded[kind] = stream, report.FractionLost > degradedFraction
		}
	}
}

// roundTripOf is the time since the sender report to which the viewer refers, without its own delay (RFC 3550 6.4.1).
func roundTripOf(report rtcp.ReceptionReport, senderNow int64) (roundTrip time.Duration, known bool) {
	const compactSecond = 1 << 16
	elapsed := int32(ntp.Middle(ntp.Timestamp(senderNow)) - report.LastSenderReport - report.Delay)
	return time.Duration(elapsed) * time.Second / compactSecond, report.LastSenderReport != 0 && elapsed >= 0
}

func (r *reports) noteTransport(feedback *rtcp.TransportLayerCC) {
	r.tcc.Packets++
	r.tcc.Received += len(feedback.RecvDeltas)
	r.tcc.Lost += int(feedback.PacketStatusCount) - len(feedback.RecvDeltas)
	for _, delta := range feedback.RecvDeltas[min(1, len(feedback.RecvDeltas)):] { // the first counts from the reference time
		r.delta += time.Duration(delta.Delta) * time.Microsecond
		r.steps++
	}
}

func (r *reports) figures() protocol.LabReceived {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	figures := protocol.LabReceived{UserAgent: r.agent, ICERole: r.role, RTCP: map[string]int{}, NACKs: r.nacks,
		NackedPackets: r.nacked, PLIs: r.plis, FIRs: r.firs,
		VideoReport: r.streams[media.Video], AudioReport: r.streams[media.Audio], TransportCC: r.tcc}
	for kind, count := range r.types {
		figures.RTCP[strconv.Itoa(int(kind))] = count
	}
	if r.steps > 0 {
		figures.TransportCC.MeanDeltaMs = float64(r.delta) / float64(r.steps) / float64(time.Millisecond)
	}
	return figures
}

// Degraded reports whether more than 2 % of a kind's packets were lost in the viewer's last receiver reports.
func (s *Session) Degraded() bool {
	s.received.mutex.Lock()
	defer s.received.mutex.Unlock()
	for _, degraded := range s.received.degraded {
		if degraded {
			return true
		}
	}
	return false
}
