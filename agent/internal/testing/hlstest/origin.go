// Package hlstest is an HLS origin for tests: a live stream whose segments appear in real time.
package hlstest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/testing/segments"
)

// Stream is how the origin's stream is made.
type Stream struct {
	SegmentMs int
	// Parts of a segment; 0 without low latency.
	Parts int
	// IsMP4 has fragmented MP4 instead of MPEG-TS.
	IsMP4 bool
	// FramesPerSegment is divisible by Parts.
	FramesPerSegment int
	FrameBytes       int
	// Window is how many segments a playlist lists.
	Window int
	// Variants are bitrates of a multivariant playlist at /master.m3u8; their frames are in proportion to the first.
	Variants []int
	// Key encrypts segments and initialization section with AES-128 (RFC 8216, 4.3.2.4); it is served at /key. The
	// initialization vector is IV, or the sequence number if IV is nil.
	Key, IV []byte
}

// Origin serves /live.m3u8 and what it refers to.
type Origin struct {
	*httptest.Server
	Stream

	started   time.Time
	mutex     sync.Mutex
	intercept func(w http.ResponseWriter, r *http.Request) bool
	paths     []string
	stopped   time.Time
}

// Start starts an origin with three segments already there.
func Start(t *testing.T, stream Stream) *Origin {
	o := &Origin{Stream: stream, started: time.Now().Add(-3 * time.Duration(stream.SegmentMs) * time.Millisecond)}
	o.Server = httptest.NewServer(o)
	t.Cleanup(o.Close)
	return o
}

// Paths are the requests so far, without queries.
func (o *Origin) Paths() []string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return append([]string(nil), o.paths...)
}

// Intercept sets what may answer a request in place of the origin; it returns whether it did.
func (o *Origin) Intercept(does func(w http.ResponseWriter, r *http.Request) bool) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.intercept = does
}

// StopPublishing leaves the playlists as they are.
func (o *Origin) StopPublishing() {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.stopped = time.Now()
}

// partsMade is how many parts (segments without parts) exist now.
func (o *Origin) partsMade() int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	now := time.Now()
	if !o.stopped.IsZero() {
		now = o.stopped
	}
	return int(now.Sub(o.started) / o.partLength())
}

func (o *Origin) partLength() time.Duration {
	return time.Duration(o.SegmentMs) * time.Millisecond / time.Duration(max(o.Parts, 1))
}

func (o *Origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mutex.Lock()
	o.paths = append(o.paths, r.URL.Path)
	intercept := o.intercept
	o.mutex.Unlock()
	if intercept != nil && intercept(w, r) {
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	variant, rest, isVariant := strings.Cut(name, "/")
	scale := 1.0
	if isVariant {
		name = rest
		bps, _ := strconv.Atoi(variant)
		scale = float64(bps) / float64(o.Variants[0])
	}
	switch {
	case name == "master.m3u8":
		fmt.Fprintln(w, "#EXTM3U")
		for _, bps := range o.Variants {
			fmt.Fprintf(w, "#EXT-X-STREAM-INF:BANDWIDTH=%d,CODECS=\"avc1.42c01f\"\n%d/live.m3u8\n", bps, bps)
		}
	case name == "live.m3u8":
		o.playlist(w, r)
	case name == "init.mp4":
		o.write(w, segments.Init(), 0)
	case name == "key":
		_, _ = w.Write(o.Key)
	default:
		o.media(w, name, scale)
	}
}

func (o *Origin) playlist(w http.ResponseWriter, r *http.Request) {
	perSegment := max(o.Parts, 1)
	if number := r.URL.Query().Get("_HLS_msn"); number != "" && o.Parts > 0 {
		segment, _ := strconv.Atoi(number)
		part, _ := strconv.Atoi(r.URL.Query().Get("_HLS_part"))
		o.waitFor(r, segment*perSegment+part+1)
	}
	made := o.partsMade()
	whole := made / perSegment
	first := max(0, whole-o.Window)
	seconds := float64(o.SegmentMs) / 1000
	var text strings.Builder
	fmt.Fprintf(&text, "#EXTM3U\n#EXT-X-TARGETDURATION:%v\n#EXT-X-MEDIA-SEQUENCE:%d\n", seconds, first)
	if o.Parts > 0 {
		part := o.partLength().Seconds()
		fmt.Fprintf(&text, "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=%v\n#EXT-X-PART-INF:PART-TARGET=%v\n", 3*part, part)
	}
	if o.Key != nil {
		fmt.Fprint(&text, `#EXT-X-KEY:METHOD=AES-128,URI="key"`)
		if o.IV != nil {
			fmt.Fprintf(&text, ",IV=0x%X", o.IV)
		}
		fmt.Fprintln(&text)
	}
	if o.IsMP4 {
		fmt.Fprintln(&text, `#EXT-X-MAP:URI="init.mp4"`)
	}
	for i := first; i <= whole; i++ {
		at := o.started.Add(time.Duration(i*o.SegmentMs) * time.Millisecond)
		if i < whole || made%perSegment > 0 {
			fmt.Fprintf(&text, "#EXT-X-PROGRAM-DATE-TIME:%s\n", at.UTC().Format(time.RFC3339Nano))
		}
		for j := range o.Parts {
			if i*perSegment+j < made {
				fmt.Fprintf(&text, "#EXT-X-PART:DURATION=%v,INDEPENDENT=YES,URI=\"%d.%d.seg\"\n", o.partLength().Seconds(), i, j)
			}
		}
		if i < whole {
			fmt.Fprintf(&text, "#EXTINF:%v,\n%d.seg\n", seconds, i)
		}
	}
	if o.Parts > 0 {
		fmt.Fprintf(&text, "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"%d.%d.seg\"\n", whole, made%perSegment)
	}
	_, _ = w.Write([]byte(text.String()))
}

// waitFor blocks until as many parts exist, as a blocking reload does.
func (o *Origin) waitFor(r *http.Request, parts int) {
	for o.partsMade() < parts {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-r.Context().Done():
			return
		}
	}
}

func (o *Origin) media(w http.ResponseWriter, name string, scale float64) {
	var segment, part int
	frames, last := o.FramesPerSegment, 0
	if count, _ := fmt.Sscanf(name, "%d.%d.seg", &segment, &part); count == 2 && o.Parts > 0 {
		frames /= o.Parts
		last = segment*o.Parts + part + 1
	} else if count, _ := fmt.Sscanf(name, "%d.seg", &segment); count == 1 {
		last = (segment + 1) * max(o.Parts, 1)
	} else {
		http.NotFound(w, nil)
		return
	}
	for o.partsMade() < last && last-o.partsMade() < 2 { // a hinted part
		time.Sleep(5 * time.Millisecond)
	}
	if o.partsMade() < last {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	bytes := int(float64(o.FrameBytes) * scale)
	if o.IsMP4 {
		o.write(w, segments.Fragment(frames, bytes), segment)
		return
	}
	o.write(w, segments.Transport(frames, bytes), segment)
}

// write responds with media, encrypted if the stream is.
func (o *Origin) write(w http.ResponseWriter, data []byte, sequence int) {
	if o.Key != nil {
		block, err := aes.NewCipher(o.Key)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		iv := o.IV
		if iv == nil {
			iv = make([]byte, aes.BlockSize)
			binary.BigEndian.PutUint32(iv[12:], uint32(sequence))
		}
		padding := aes.BlockSize - len(data)%aes.BlockSize
		data = append(bytes.Clone(data), bytes.Repeat([]byte{byte(padding)}, padding)...)
		cipher.NewCBCEncrypter(block, iv).CryptBlocks(data, data)
	}
	_, _ = w.Write(data)
}
