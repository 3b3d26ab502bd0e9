// Package relay lets ffmpeg publish without knowing the address of the server: a user, a password, a stream's key and a
// passphrase are no arguments of a program, which every user of the machine can read. ffmpeg sends to a socket of
// loopback that takes one connection, and the relay adds to its requests what the server requires. Media passes
// unchanged. ffmpeg has no other way to be told where its output goes: the addresses of inputs are read from a list.
package relay

import (
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"sync"
)

// Relay is for one publisher.
type Relay struct {
	// Address is where ffmpeg publishes to.
	Address string

	close   func()
	mutex   sync.Mutex
	failure string
}

// Open makes a relay to an address of rtsp, rtsps or srt. It connects to the server when ffmpeg does.
func Open(target *url.URL) (*Relay, error) {
	if target.Scheme == "srt" {
		return openSRT(target)
	}
	return openRTSP(target)
}

// Failure is why the relay has no connection to the server, or what the server refused, in ffmpeg's words, which ffmpeg.Classify reads; empty while
// that is not known to be broken.
func (r *Relay) Failure() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.failure
}

// Close ends the connections.
func (r *Relay) Close() { r.close() }

func (r *Relay) fail(err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.failure == "" {
		r.failure = inWords(err)
	}
}

// random is a text that is used once.
func random() string {
	text := make([]byte, 16)
	_, _ = rand.Read(text) // never fails
	return hex.EncodeToString(text)
}
