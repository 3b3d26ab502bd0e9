package whep

import (
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/stats"
	"fullhouse/agent/internal/viewer"
)

// maxSizes bounds the picture sizes that are kept of a stream.
const maxSizes = 8

// layers follows which layer of a simulcast or scalable (SVC) video a viewer receives, by the size of its pictures.
// Only viewers of such a video have it: it needs one decrypted packet of each frame or two.
type layers struct {
	timestamp uint32 // of the latest frame whose first packet was inspected
	hasFirst  bool
	scalable  bool                                  // a stream with several spatial layers
	sizes     [rtppayload.MaxLayers]rtppayload.Size // of its layers
	received  []receivedLayer
	current   int
	since     int64
	switches  uint64
}

type receivedLayer struct {
	size rtppayload.Size
	ns   int64
}

// due reports whether a packet must be inspected: the first one of a frame, which has the size of a keyframe, and of a
// scalable stream the last one, which belongs to the highest layer received.
func (l *layers) due(timestamp uint32, marker bool) bool {
	isFirst := !l.hasFirst || timestamp != l.timestamp
	l.timestamp, l.hasFirst = timestamp, true
	return isFirst || l.scalable && marker
}

// inspect follows the layer of an inspected packet.
func (l *layers) inspect(p *rtppayload.Payload, packet *stats.Packet) {
	if p.Layers > 0 {
		l.sizes, l.scalable = p.Sizes, p.Layers > 1
	}
	switch {
	case l.scalable && packet.Marker:
		if size := l.sizes[p.Spatial]; size != (rtppayload.Size{}) {
			l.receive(size, packet.At)
		}
	case !l.scalable && p.Layers == 1:
		l.receive(p.Sizes[0], packet.At)
	}
}

// receive continues with this size.
func (l *layers) receive(size rtppayload.Size, at int64) {
	if len(l.received) > 0 && l.received[l.current].size == size {
		return
	}
	l.end(at)
	if len(l.received) > 0 {
		l.switches++
	}
	for l.current = 0; l.current < len(l.received); l.current++ {
		if l.received[l.current].size == size {
			return
		}
	}
	if l.current == maxSizes {
		l.current--
		l.received[l.current] = receivedLayer{}
	} else {
		l.received = append(l.received, receivedLayer{})
	}
	l.received[l.current].size = size
}

// end adds the time since the latest change to the current layer.
func (l *layers) end(at int64) {
	if len(l.received) > 0 {
		l.received[l.current].ns += max(at-l.since, 0)
	}
	l.since = at
}

// size is that of the layer being received, 0 before the first.
func (l *layers) size() rtppayload.Size {
	if len(l.received) == 0 {
		return rtppayload.Size{}
	}
	return l.received[l.current].size
}

// view is the time in each layer until now.
func (l *layers) view(now int64) (list []viewer.Layer) {
	for i, one := range l.received {
		if i == l.current {
			one.ns += max(now-l.since, 0)
		}
		list = append(list, viewer.Layer{Width: int(one.size.Width), Height: int(one.size.Height), Ns: one.ns})
	}
	return list
}
