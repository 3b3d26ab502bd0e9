// Package histograms reads the histograms of samples for tests, independently of what writes them.
package histograms

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"testing"

	"fullhouse/agent/internal/protocol"
)

// Step is a bucket: a value that represents it, and its count.
type Step struct {
	Value float64
	Count uint64
}

// Read returns the buckets of a histogram in ascending order.
func Read(t *testing.T, text string) []Step {
	t.Helper()
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(bytes) < 18 || bytes[0] != protocol.HistogramScale {
		t.Fatalf("%q is no histogram: %v", text, err)
	}
	bytes = bytes[17:]
	unsigned := func() uint64 {
		value, length := binary.Uvarint(bytes)
		if length <= 0 {
			t.Fatalf("the histogram %q ends too early", text)
		}
		bytes = bytes[length:]
		return value
	}
	zeros := unsigned()
	buckets := func(sign float64) (steps []Step) {
		index := int64(0)
		for i, used := 0, int(unsigned()); i < used; i++ {
			if step := unsigned(); i == 0 {
				index = int64(step>>1) ^ -int64(step&1)
			} else {
				index += int64(step)
			}
			middle := math.Exp2((float64(index) + 0.5) / (1 << protocol.HistogramScale))
			steps = append(steps, Step{Value: sign * middle, Count: unsigned()})
		}
		return steps
	}
	positive := buckets(1)
	negative := buckets(-1)
	var all []Step
	for i := len(negative) - 1; i >= 0; i-- {
		all = append(all, negative[i])
	}
	if zeros > 0 {
		all = append(all, Step{Count: zeros})
	}
	if len(bytes) > 0 {
		t.Fatalf("the histogram %q is followed by other bytes", text)
	}
	return append(all, positive...)
}

// Percentile is the value that this share (0 to 100) of the values does not exceed.
func Percentile(t *testing.T, text string, share float64) float64 {
	t.Helper()
	steps := Read(t, text)
	count := uint64(0)
	for _, step := range steps {
		count += step.Count
	}
	rank := max(1, uint64(math.Ceil(share/100*float64(count))))
	for _, step := range steps {
		if step.Count >= rank {
			return step.Value
		}
		rank -= step.Count
	}
	t.Fatalf("the histogram %q has no values", text)
	return 0
}

// Highest is the highest value, exactly.
func Highest(t *testing.T, text string) float64 {
	t.Helper()
	Read(t, text)
	bytes, _ := base64.StdEncoding.DecodeString(text) // it was read before
	return math.Float64frombits(binary.LittleEndian.Uint64(bytes[9:]))
}
