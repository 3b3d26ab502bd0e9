// Package ntp converts Unix times to NTP timestamps (RFC 5905 6), as senders of RTP stamp them, and back.
package ntp

const (
	// epoch is 1970 in the seconds of NTP, which count from 1900.
	epoch = 2_208_988_800
	// eraSeconds is the length of an era: the seconds have 32 bits.
	eraSeconds = 1 << 32
	second     = 1_000_000_000
)

// Timestamp is a Unix time in nanoseconds: seconds in the upper half, their fraction in the lower.
func Timestamp(unixNs int64) uint64 {
	seconds, rest := uint64(unixNs)/second, uint64(unixNs)%second
	return (seconds+epoch)<<32 | rest<<32/second
}

// Middle is the middle half of a timestamp, as reports return it (RFC 3550 6.4.1).
func Middle(timestamp uint64) uint32 { return uint32(timestamp >> 16) }

// UnixNano is a timestamp in Unix nanoseconds. One without the highest bit is of the era that starts in 2036.
func UnixNano(timestamp uint64) int64 {
	seconds := int64(timestamp >> 32)
	if timestamp>>63 == 0 {
		seconds += eraSeconds
	}
	return (seconds-epoch)*second + fraction(uint32(timestamp))
}

// Nanoseconds is a difference of two timestamps, which may be negative.
func Nanoseconds(difference int64) int64 { return difference>>32*second + fraction(uint32(difference)) }

// fraction is a fraction of a second in nanoseconds, rounded.
func fraction(of uint32) int64 { return int64((uint64(of)*second + 1<<31) >> 32) }
