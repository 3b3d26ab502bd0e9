package stats

import (
	"math"
	"slices"
)

// Percentiles sorts values and returns the nearest-rank percentile for each share (0 to 100). It returns nil without
// values: such a percentile is absent, never 0.
func Percentiles(values []float64, shares ...float64) []float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	result := make([]float64, len(shares))
	for i, share := range shares {
		rank := int(math.Ceil(share/100*float64(len(values)))) - 1
		result[i] = values[min(max(rank, 0), len(values)-1)]
	}
	return result
}
