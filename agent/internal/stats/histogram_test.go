package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"fullhouse/agent/internal/testing/histograms"
)

// The engine's tests read the same file: both encode these values to the same bytes.
func TestHistogramsAreEncodedAsByTheEngine(t *testing.T) {
	bytes, err := os.ReadFile("../../../tests/fixtures/histograms.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Text string
		Values     []float64
	}
	if err := json.Unmarshal(bytes, &cases); err != nil || len(cases) < 5 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, each := range cases {
		var h Histogram
		for _, value := range each.Values {
			h.Add(value)
		}
		if got := h.Text(); got != each.Text {
			t.Errorf("%s: %s, not %s", each.Name, got, each.Text)
		}
	}
}

func TestPercentilesOfAHistogramAreWithinItsError(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	for round := range 3 {
		h.Reset()
		values := make([]float64, 10_000)
		for i := range values {
			values[i] = math.Exp(random.NormFloat64()*2) * []float64{1, 1e-3, -1e4}[round]
			h.Add(values[i])
		}
		h.Add(math.NaN())
		h.Add(math.Inf(1))
		if h.Count() != uint64(len(values)) {
			t.Fatalf("%d values", h.Count())
		}
		slices.Sort(values)
		for _, share := range []float64{1, 5, 50, 95, 99, 99.9} {
			exact := values[int(math.Ceil(share/100*float64(len(values))))-1]
			if got := histograms.Percentile(t, h.Text(), share); math.Abs(got-exact) > 0.0055*math.Abs(exact) {
				t.Errorf("p%v is %v, not %v", share, got, exact)
			}
		}
	}
}

func TestEachValueIsWithinTheBoundsOfItsBucket(t *testing.T) {
	values := []float64{zeroBelow, 1, math.Nextafter(1, 2), math.Nextafter(2, 1), 2, 1024, math.Nextafter(1024, 2000), math.MaxFloat64 / 4}
	for _, bound := range octave {
		values = append(values, bound, math.Nextafter(bound, 3), math.Nextafter(bound, 0), bound*4096)
	}
	for _, value := range values {
		low := bucketOf(value)
		at := func(index int32) float64 {
			exponent := int(math.Floor(float64(index) / bucketsPerOctave))
			return math.Ldexp(octave[int(index)-exponent*bucketsPerOctave], exponent)
		}
		if !(at(low) < value && value <= at(low+1)) {
			t.Errorf("%v is not in the bucket from %v to %v", value, at(low), at(low+1))
		}
	}
	for i := range bucketsPerOctave {
		if exact := math.Exp2(float64(i) / bucketsPerOctave); math.Abs(octave[i]-exact) > 1e-15*exact {
			t.Errorf("bound %d is %v, not %v", i, octave[i], exact)
		}
	}
}

func TestAHistogramWithoutValuesHasNoText(t *testing.T) {
	var h Histogram
	if h.Text() != "" {
		t.Error(h.Text())
	}
	h.Add(7)
	h.Reset()
	if h.Text() != "" || h.Count() != 0 {
		t.Error(h.Text())
	}
}
