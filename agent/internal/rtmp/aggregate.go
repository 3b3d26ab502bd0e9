package rtmp

import "fullhouse/agent/internal/flv"

// aggregate is an aggregate message: several messages as FLV tags. Their times start at the message's own.
type aggregate struct {
	flv.Tags
	sink      Sink
	timestamp uint32
	shift     uint32 // between the message's time and its first tag's
	isStarted bool
}

// Media passes on a message with its time in the stream.
func (a *aggregate) Media(m flv.Message) {
	if !a.isStarted {
		a.isStarted, a.shift = true, a.timestamp-m.Timestamp
	}
	m.Timestamp += a.shift
	a.sink.Media(m)
}
