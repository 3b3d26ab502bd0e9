package viewer

// Times are when a viewer completed its steps to the first frame, in Unix nanoseconds. 0: it has not, or its protocol
// does not have the step.
type Times struct {
	// Name is when the server's name was resolved; 0 if that was done for an earlier viewer.
	Name int64
	// TCP and TLS are of the connection of the signalling, or of the stream.
	TCP, TLS int64
	// Relay is when the TURN server allocated a relayed address.
	Relay int64
	// Offer is when it was sent, Answer when the server's answer was read.
	Offer, Answer int64
	// ICE is when a candidate pair was selected, DTLS when the keys were derived.
	ICE, DTLS int64
	// Play is when the server accepted the request of the stream.
	Play int64
	// FirstPacket and FirstFrame are those of a Reading.
	FirstPacket, FirstFrame int64
}

// Step is a completed step, by its name in the protocol.
type Step struct {
	Name string
	At   int64
}

// Steps are the completed ones that a Reading does not have.
func (t Times) Steps() []Step {
	all := [...]Step{{"dns", t.Name}, {"tcp", t.TCP}, {"tls", t.TLS}, {"turn", t.Relay}, {"offer", t.Offer},
		{"answer", t.Answer}, {"ice", t.ICE}, {"dtls", t.DTLS}, {"play", t.Play}}
	completed := make([]Step, 0, len(all))
	for _, step := range all {
		if step.At != 0 {
			step.At = t.untilPacket(step.At)
			completed = append(completed, step)
		}
	}
	return completed
}

// untilPacket is when a step ended that media may have overtaken: a server may send before we have completed it.
func (t Times) untilPacket(at int64) int64 {
	if t.FirstPacket != 0 {
		return min(at, t.FirstPacket)
	}
	return at
}

// Stage is a part of the time to the first frame.
type Stage int

// The stages, in the usual order. StageTURN comes before StageTCP if the TURN server is known from the start.
const (
	StageName Stage = iota
	StageTCP
	StageTLS
	StageSignalling
	StageTURN
	StageICE
	StageDTLS
	StagePacket
	StageFrame
	// StageCount is their number.
	StageCount
)

// Durations of the completed stages of a viewer that started then, in nanoseconds; negative of the others. Each begins
// with the end of the one before, so that together they last from the start to the end of the latest.
func (t Times) Durations(start int64) (durations [StageCount]int64) {
	ends := [StageCount]int64{t.Name, t.TCP, t.TLS, max(t.Answer, t.Play), t.Relay, t.ICE, t.DTLS, t.FirstPacket, t.FirstFrame}
	for stage := range StagePacket {
		ends[stage] = t.untilPacket(ends[stage])
	}
	for stage, end := range ends {
		if end == 0 {
			durations[stage] = -1
			continue
		}
		begin := start
		for other, at := range ends {
			if at < end || at == end && other < stage {
				begin = max(begin, at)
			}
		}
		durations[stage] = max(end-begin, 0)
	}
	return durations
}
