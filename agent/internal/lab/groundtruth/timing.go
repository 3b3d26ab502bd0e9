package groundtruth

import (
	"math"
	"time"

	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/protocol"
)

// jitter is RFC 3550's interarrival jitter (appendix A.8), in units of the RTP clock: of all packets, and of those that
// start a frame.
type jitter struct {
	known           bool
	timestamp       uint32
	transit         float64 // of the latest packet
	value, perFrame float64
	base            int64
	baseRTP         uint32
}

func (j *jitter) add(timestamp uint32, at int64, kind media.Kind) {
	if !j.known {
		*j = jitter{known: true, timestamp: timestamp, base: at, baseRTP: timestamp}
		return
	}
	// Both count from the first packet, which keeps the figures small enough to be exact; RTP time wraps.
	transit := float64(at-j.base)*float64(kind.ClockRate())/float64(time.Second) - float64(int32(timestamp-j.baseRTP))
	change := math.Abs(transit - j.transit)
	if timestamp != j.timestamp {
		j.perFrame += (change - j.perFrame) / 16
	}
	j.value += (change - j.value) / 16
	j.transit, j.timestamp = transit, timestamp
	if timestamp-j.baseRTP > farRTP {
		j.base, j.baseRTP, j.transit = at, timestamp, 0
	}
}

// farRTP is when the origin moves on, before the difference of two timestamps wraps (6 hours of video).
const farRTP = 1 << 30

func (j *jitter) ms(kind media.Kind) float64 { return j.value * 1000 / float64(kind.ClockRate()) }

func (j *jitter) perFrameMs(kind media.Kind) float64 {
	return j.perFrame * 1000 / float64(kind.ClockRate())
}

const (
	fineBuckets   = 256 // of 1 ms
	coarseBuckets = 256 // of 16 ms: up to 4.3 s
	coarseMs      = 16
)

// delays is a histogram, made when the first packet is held.
type delays struct {
	count   uint64
	total   int64
	buckets *[fineBuckets + coarseBuckets]uint32
}

func (d *delays) add(delay int64) {
	d.count++
	if delay <= 0 {
		return
	}
	if d.buckets == nil {
		d.buckets = new([fineBuckets + coarseBuckets]uint32)
	}
	d.total += delay
	bucket := delay / int64(time.Millisecond)
	if bucket >= fineBuckets {
		bucket = min(fineBuckets+(bucket-fineBuckets)/coarseMs, fineBuckets+coarseBuckets-1)
	}
	d.buckets[bucket]++
}

func (d *delays) figures() protocol.LabDelay {
	if d.count == 0 || d.buckets == nil {
		return protocol.LabDelay{}
	}
	figures := protocol.LabDelay{Mean: float64(d.total) / float64(d.count) / float64(time.Millisecond)}
	for above, bucket := uint64(0), len(d.buckets)-1; bucket >= 0; bucket-- {
		if above += uint64(d.buckets[bucket]); above*20 > d.count {
			figures.P95 = float64(bucket) + 0.5
			if bucket >= fineBuckets {
				figures.P95 = float64(fineBuckets) + (float64(bucket-fineBuckets)+0.5)*coarseMs
			}
			break
		}
	}
	return figures
}
