// Package crafted tests what an input means instead of what it is: small inputs with huge fields, repeats, nesting and
// overlaps, and how much memory a parser takes for each.
package crafted

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

const (
	// MaxBytes is the memory that a parser may take for one input beyond what the process has already.
	MaxBytes = 300 << 20
	// MinInputs is how many inputs a test must make.
	MinInputs = 1000
)

// allocated is all that was ever allocated. The difference over a call is an upper bound of the memory that it takes,
// and does not depend on when the collector runs.
func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// Each parses at least MinInputs inputs and fails if one takes more than MaxBytes. It logs the most expensive ones.
func Each(t *testing.T, inputs iter.Seq2[string, []byte], parse func([]byte)) {
	t.Helper()
	// A parser without bounds must not take the machine: the collector works harder instead.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 30))
	count, most, slowest := 0, uint64(0), time.Duration(0)
	mostOf, slowestOf := "", ""
	for name, input := range inputs {
		count++
		before, start := allocated(), time.Now()
		parse(input)
		took, bytes := time.Since(start), allocated()-before
		if bytes > MaxBytes {
			t.Errorf("%s: an input of %d bytes takes %d MB", name, len(input), bytes>>20)
		}
		if bytes > most {
			most, mostOf = bytes, fmt.Sprintf("%s, %d bytes", name, len(input))
		}
		if took > slowest {
			slowest, slowestOf = took, fmt.Sprintf("%s, %d bytes", name, len(input))
		}
	}
	if count < MinInputs {
		t.Errorf("%d inputs, fewer than %d", count, MinInputs)
	}
	t.Logf("%d inputs; the most memory %.1f MB (%s); the longest %s (%s)", count, float64(most)/(1<<20), mostOf, slowest.Round(time.Millisecond), slowestOf)
}
