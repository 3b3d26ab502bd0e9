package hls

import (
	"math"
	"strings"
	"time"

	"fullhouse/agent/internal/hls/playlist"
)

const (
	// fastHalfLife and slowHalfLife are of the two averages of bandwidth, in seconds of download; the lower one counts,
	// so that a drop is followed at once and a peak is not.
	fastHalfLife = 3.0
	slowHalfLife = 9.0
	// initialBps is assumed before the first measurement.
	initialBps = 500_000
	// keepShare of the bandwidth may be used by the current variant, raiseShare by a better one.
	keepShare  = 0.95
	raiseShare = 0.7
	// minSample is the shortest download that is a measurement.
	minSample = 2 * time.Millisecond
)

// average is an exponentially weighted moving average over time.
type average struct {
	value, weight float64
}

func (a *average) add(seconds, value, halfLife float64) {
	keep := math.Pow(0.5, seconds/halfLife)
	a.value = value*(1-keep) + keep*a.value
	a.weight = 1 - keep + keep*a.weight
}

func (a *average) now() float64 { return a.value / a.weight }

// bandwidth estimates what a viewer can receive, in bits a second.
type bandwidth struct{ fast, slow average }

// add measures a download.
func (b *bandwidth) add(bytes int64, took time.Duration) {
	took = max(took, minSample)
	bps := float64(bytes) * 8 / took.Seconds()
	b.fast.add(took.Seconds(), bps, fastHalfLife)
	b.slow.add(took.Seconds(), bps, slowHalfLife)
}

func (b *bandwidth) bps() float64 {
	if b.fast.weight == 0 {
		return initialBps
	}
	return min(b.fast.now(), b.slow.now())
}

// choose returns the best variant that the bandwidth allows; the lowest if it allows none. Variants without video are
// chosen only if there are no others.
func choose(variants []playlist.Variant, current int, bps float64) int {
	best, lowest := -1, -1
	for i := range variants {
		if isAudioOnly(&variants[i]) && hasVideo(variants) {
			continue
		}
		of := variants[i].BitrateBps
		if lowest < 0 || of < variants[lowest].BitrateBps {
			lowest = i
		}
		share := keepShare
		if current >= 0 && of > variants[current].BitrateBps {
			share = raiseShare
		}
		if float64(of) <= bps*share && (best < 0 || of > variants[best].BitrateBps) {
			best = i
		}
	}
	if best < 0 {
		return lowest
	}
	return best
}

func hasVideo(variants []playlist.Variant) bool {
	for i := range variants {
		if !isAudioOnly(&variants[i]) {
			return true
		}
	}
	return false
}

// isAudioOnly is by the codecs, which a playlist should name (RFC 8216, 4.3.4.2).
func isAudioOnly(of *playlist.Variant) bool {
	return of.Width == 0 && of.Codecs != "" && !hasVideoCodec(of.Codecs)
}

// videoCodecs are the first characters of codecs of video (RFC 6381).
var videoCodecs = []string{"avc", "hvc", "hev", "av01", "vp0", "vp8", "vp9", "mp4v", "dvh"}

func hasVideoCodec(codecs string) bool {
	for _, codec := range strings.Split(codecs, ",") {
		for _, prefix := range videoCodecs {
			if strings.HasPrefix(strings.TrimSpace(codec), prefix) {
				return true
			}
		}
	}
	return false
}
