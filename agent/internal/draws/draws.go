// Package draws has random numbers that a run can repeat: each viewer has its own sequence, which depends on a seed and
// its number only.
package draws

const goldenGamma = 0x9e3779b97f4a7c15

// Generator is a xorshift generator.
type Generator uint64

// New makes the generator of a number; those of neighbouring seeds and numbers are unrelated.
func New(seed, number uint64) Generator {
	return Generator(splitmix(seed+goldenGamma*(number+1)) | 1)
}

// Other makes an unrelated generator from a new one.
func (g Generator) Other() Generator { return Generator(splitmix(uint64(g)) | 1) }

// splitmix is the finalizer of splitmix64: neighbouring seeds must not give similar generators.
func splitmix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Next is from 0 to just below 1.
func (g *Generator) Next() float64 {
	*g ^= *g << 13
	*g ^= *g >> 7
	*g ^= *g << 17
	return float64(*g>>11) / (1 << 53)
}
