package audience

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/testing/wheptest"
)

// origin is a WHEP server whose packets, requests and answers a test changes.
type origin struct {
	*wheptest.Full
	drop atomic.Int64 // percent of the packets that are dropped
	mute atomic.Bool
	// intercept handles a request in the origin's place when it returns true.
	intercept func(w http.ResponseWriter, r *http.Request) bool
	// tamper changes the SDP answer.
	tamper func(string) string
}

func newOrigin(t *testing.T, changes ...func(*webrtc.SettingEngine)) *origin {
	t.Helper()
	o := &origin{}
	o.Full = wheptest.NewFull(t, wheptest.Dialect{
		Settings: func(settings *webrtc.SettingEngine) {
			for _, change := range changes {
				change(settings)
			}
		},
		Request: func(_ *wheptest.Full, w http.ResponseWriter, r *http.Request) bool {
			return o.intercept != nil && o.intercept(w, r)
		},
		Answer: func(sdp string) string {
			if o.tamper == nil {
				return sdp
			}
			return o.tamper(sdp)
		},
		Repairs: true,
		Loses:   func(i uint32) bool { return o.mute.Load() || int64(i*37%100) < o.drop.Load() },
	})
	return o
}
