package whep

import (
	"math/bits"
	"strconv"
	"sync"
	"time"

	"github.com/pion/stun/v3"

	"fullhouse/agent/internal/lab/fanout"
	"fullhouse/agent/internal/lab/feedback"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/steady"
)

// degradedFraction is 2 % in a receiver report's 256ths: more than this many are a degraded viewer.
const degradedFraction = 5

// StreamReport is a viewer's latest report on one kind of media.
type StreamReport struct {
	FractionLostPercent float64 `json:"fractionLostPercent"`
	CumulativeLost      int32   `json:"cumulativeLost"`
	JitterMs            float64 `json:"jitterMs"`
	// RoundTripMs is by LSR and DLSR; absent while the viewer has had no sender report.
	RoundTripMs *float64 `json:"roundTripMs,omitempty"`
}

// TransportReports sum up a viewer's transport-wide feedback.
type TransportReports struct {
	Packets   int `json:"packets"`
	Malformed int `json:"malformed"`
	// Received and Lost are what it says of our packets; one that is told of twice counts twice.
	Received int `json:"received"`
	Lost     int `json:"lost"`
	// MeanDeltaMs is between the arrivals of two packets that follow each other in one report.
	MeanDeltaMs float64 `json:"meanDeltaMs"`
}

// Heard is what a viewer told us.
type Heard struct {
	// UserAgent is what it calls itself; empty when it does not.
	UserAgent string `json:"userAgent"`
	// ICERole is the viewer's: "controlling" or "controlled"; empty before its first check.
	ICERole string `json:"iceRole,omitempty"`
	// RTCP counts packets by type, e.g. "201" for receiver reports.
	RTCP  map[string]int `json:"rtcp"`
	NACKs int            `json:"nacks"`
	// NACKed are the packets asked for, each time that they were.
	NACKed      int              `json:"nackedPackets"`
	PLIs        int              `json:"plis"`
	FIRs        int              `json:"firs"`
	VideoReport *StreamReport    `json:"videoReport,omitempty"`
	AudioReport *StreamReport    `json:"audioReport,omitempty"`
	TransportCC TransportReports `json:"transportCc"`
}

// reports gathers what is heard of one viewer: the reader writes, others read.
type reports struct {
	mutex    sync.Mutex
	agent    string
	role     string
	types    map[uint8]int
	nacks    int
	nacked   int
	plis     int
	firs     int
	streams  [media.Kinds]*StreamReport
	degraded [media.Kinds]bool
	tcc      TransportReports
	delta    time.Duration
	steps    int
}

// NoteUserAgent keeps what the viewer calls itself.
func (s *Session) NoteUserAgent(name string) {
	s.heardOf.mutex.Lock()
	defer s.heardOf.mutex.Unlock()
	s.heardOf.agent = name
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

func (r *reports) note(p feedback.Packet, ssrc [media.Kinds]uint32) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.types == nil {
		r.types = map[uint8]int{}
	}
	r.types[p.Type]++
	switch p.Type {
	case feedback.SenderReport, feedback.ReceiverReport:
		feedback.Reports(p, middleNTP(steady.Now()), func(report feedback.Report) { r.noteReport(report, ssrc) })
	case feedback.Transport:
		switch p.Format {
		case feedback.FormatNACK:
			r.nacks++
			feedback.Lost(p, func(_, mask uint16) { r.nacked += 1 + bits.OnesCount16(mask) })
		case feedback.FormatTransportCC:
			r.noteTransport(p)
		}
	case feedback.PayloadSpecific:
		switch p.Format {
		case feedback.FormatPLI:
			r.plis++
		case feedback.FormatFIR:
			r.firs++
		}
	}
}

func (r *reports) noteReport(report feedback.Report, ssrc [media.Kinds]uint32) {
	for kind := range media.Kinds {
		if report.SSRC != ssrc[kind] {
			continue
		}
		stream := &StreamReport{FractionLostPercent: float64(report.FractionLost) * 100 / 256, CumulativeLost: report.CumulativeLost,
			JitterMs: float64(report.Jitter) * 1000 / float64(kind.ClockRate())}
		if report.HasRoundTrip {
			roundTrip := float64(report.RoundTrip) / float64(time.Millisecond)
			stream.RoundTripMs = &roundTrip
		}
		r.streams[kind], r.degraded[kind] = stream, report.FractionLost > degradedFraction
	}
}

func (r *reports) noteTransport(p feedback.Packet) {
	report, err := feedback.ReadTransport(p)
	if err != nil {
		r.tcc.Malformed++
		return
	}
	r.tcc.Packets++
	r.tcc.Received += report.Received
	r.tcc.Lost += report.Count - report.Received
	r.delta += report.Delta
	r.steps += report.Steps
}

func (r *reports) heard() Heard {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	heard := Heard{UserAgent: r.agent, ICERole: r.role, RTCP: map[string]int{}, NACKs: r.nacks, NACKed: r.nacked, PLIs: r.plis, FIRs: r.firs,
		VideoReport: r.streams[media.Video], AudioReport: r.streams[media.Audio], TransportCC: r.tcc}
	for kind, count := range r.types {
		heard.RTCP[strconv.Itoa(int(kind))] = count
	}
	if r.steps > 0 {
		heard.TransportCC.MeanDeltaMs = float64(r.delta) / float64(r.steps) / float64(time.Millisecond)
	}
	return heard
}

// Degraded tells whether the viewer's last receiver reports say that more than 2 % of a kind's packets were lost.
func (s *Session) Degraded() bool {
	s.heardOf.mutex.Lock()
	defer s.heardOf.mutex.Unlock()
	for _, degraded := range s.heardOf.degraded {
		if degraded {
			return true
		}
	}
	return false
}

// middleNTP is the middle half of a moment's NTP timestamp, as reports give it back.
func middleNTP(t time.Time) uint32 { return uint32(fanout.NTP(t) >> 16) }
