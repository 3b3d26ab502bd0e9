package stats

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	"fullhouse/agent/internal/protocol"
)

// bucketsPerOctave of a base-2 exponential histogram at the protocol's scale.
const bucketsPerOctave = 1 << protocol.HistogramScale

// zeroBelow: smaller values count as 0.
const zeroBelow = 1e-6

// octave has the upper bounds of the buckets from 1 to 2. They are made of square roots and products only, which IEEE
// 754 rounds alike everywhere: the engine has the same bounds to the last bit (src/domain/distribution/buckets.ts).
var octave = func() (bounds [bucketsPerOctave + 1]float64) {
	var roots [protocol.HistogramScale]float64
	root := 2.0
	for i := range roots {
		root = math.Sqrt(root)
		roots[i] = root
	}
	for i := range bucketsPerOctave {
		bound := 1.0
		for bit, root := range roots {
			if i&(bucketsPerOctave>>(bit+1)) != 0 {
				bound *= root
			}
		}
		bounds[i] = bound
	}
	bounds[bucketsPerOctave] = 2
	return bounds
}()

// Histogram is the distribution of a figure: counts by buckets that grow by 2^(1/64), as OpenTelemetry's exponential
// and Prometheus's native histograms of this scale, so that any number of them merge exactly. The zero value is empty.
type Histogram struct {
	count, zero        uint64
	low, high          float64
	positive, negative buckets
}

// Add counts a value; what is not a number counts nothing.
func (h *Histogram) Add(value float64) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return
	}
	if h.count == 0 {
		h.low, h.high = value, value
	}
	h.low, h.high = min(h.low, value), max(h.high, value)
	h.count++
	switch {
	case value >= zeroBelow:
		h.positive.add(bucketOf(value))
	case value <= -zeroBelow:
		h.negative.add(bucketOf(-value))
	default:
		h.zero++
	}
}

// Count of the values.
func (h *Histogram) Count() uint64 { return h.count }

// Reset empties it and keeps its memory.
func (h *Histogram) Reset() {
	h.count, h.zero = 0, 0
	h.positive.reset()
	h.negative.reset()
}

// Text is the histogram as the protocol has it, empty without values: base64 of the scale, the lowest and the highest
// value (IEEE 754, little endian), the number of zeros, and the positive and the negative buckets: how many are not
// empty, and of each its distance from the one before (the first one's index, zigzag) and its count, as varints.
func (h *Histogram) Text() string {
	if h.count == 0 {
		return ""
	}
	bytes := make([]byte, 0, 64)
	bytes = append(bytes, protocol.HistogramScale)
	bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(h.low))
	bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(h.high))
	bytes = binary.AppendUvarint(bytes, h.zero)
	bytes = h.positive.appendTo(bytes)
	bytes = h.negative.appendTo(bytes)
	return base64.StdEncoding.EncodeToString(bytes)
}

// bucketOf is the index of the bucket with lower bound < value <= upper bound = 2^((index+1)/64).
func bucketOf(value float64) int32 {
	fraction, exponent := math.Frexp(value)
	fraction, exponent = 2*fraction, exponent-1
	low, high := 0, bucketsPerOctave // octave[low] < fraction <= octave[high], or fraction is 1
	for high-low > 1 {
		if middle := (low + high) / 2; fraction > octave[middle] {
			low = middle
		} else {
			high = middle
		}
	}
	if fraction == 1 {
		low = -1
	}
	return int32(exponent*bucketsPerOctave + low)
}

// buckets are the counts of consecutive buckets.
type buckets struct {
	first  int32
	counts []uint32
}

func (b *buckets) reset() { b.counts = b.counts[:0] }

func (b *buckets) add(index int32) {
	switch {
	case len(b.counts) == 0:
		b.first = index
	case index < b.first:
		missing := int(b.first - index)
		length := len(b.counts)
		for range missing {
			b.counts = append(b.counts, 0)
		}
		copy(b.counts[missing:], b.counts[:length])
		clear(b.counts[:missing])
		b.first = index
	}
	for int(index-b.first) >= len(b.counts) {
		b.counts = append(b.counts, 0)
	}
	b.counts[index-b.first]++
}

func (b *buckets) appendTo(bytes []byte) []byte {
	used := uint64(0)
	for _, count := range b.counts {
		if count > 0 {
			used++
		}
	}
	bytes = binary.AppendUvarint(bytes, used)
	before, isFirst := int32(0), true
	for i, count := range b.counts {
		if count == 0 {
			continue
		}
		index := b.first + int32(i)
		if isFirst {
			bytes = binary.AppendVarint(bytes, int64(index))
		} else {
			bytes = binary.AppendUvarint(bytes, uint64(index-before))
		}
		bytes = binary.AppendUvarint(bytes, uint64(count))
		before, isFirst = index, false
	}
	return bytes
}
