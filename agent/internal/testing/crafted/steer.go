package crafted

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"
)

// memoryFolder turns fuzzing towards memory: with it, inputs that allocate more are kept, and each process of the
// fuzzer writes there what its most expensive input took.
var memoryFolder = os.Getenv("FULLHOUSE_FUZZ_MEMORY")

var mostBytes uint64

// Watch is called at the start of a fuzz target, and its result at the end with the size of the input: the fuzzer's
// coverage then includes how much was allocated, in steps of a half to a double. An input beyond MaxBytes fails.
func Watch(t *testing.T) func(size int) {
	if memoryFolder == "" {
		return func(int) {}
	}
	before := allocatedSoFar()
	return func(size int) {
		bytes := allocatedSoFar() - before
		step(bytes)
		if bytes > mostBytes {
			mostBytes = bytes
			name := filepath.Join(memoryFolder, fmt.Sprint(os.Getpid()))
			if err := os.WriteFile(name, fmt.Appendf(nil, "%d %d\n", bytes, size), 0o600); err != nil {
				t.Error(err)
			}
		}
		if bytes > MaxBytes {
			t.Errorf("an input of %d bytes allocates %d MB", size, bytes>>20)
		}
	}
}

// allocatedSoFar does not stop other goroutines, and is exact enough for steps of half a power of two.
func allocatedSoFar() uint64 {
	sample := [1]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample[:])
	return sample[0].Value.Uint64()
}

// step has a branch for each size, since fuzzers keep inputs that reach new branches.
func step(bytes uint64) int {
	half := bytes >> max(0, bits.Len64(bytes)-2) & 1
	switch 2*bits.Len64(bytes) + int(half) {
	case 34:
		return 1
	case 35:
		return 2
	case 36:
		return 3
	case 37:
		return 4
	case 38:
		return 5
	case 39:
		return 6
	case 40:
		return 7
	case 41:
		return 8
	case 42:
		return 9
	case 43:
		return 10
	case 44:
		return 11
	case 45:
		return 12
	case 46:
		return 13
	case 47:
		return 14
	case 48:
		return 15
	case 49:
		return 16
	case 50:
		return 17
	case 51:
		return 18
	case 52:
		return 19
	case 53:
		return 20
	case 54:
		return 21
	case 55:
		return 22
	case 56:
		return 23
	case 57:
		return 24
	}
	return 0
}
