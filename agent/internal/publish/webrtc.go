package publish

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/livekit"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/proxy"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
)

const closeTimeout = 3 * time.Second

// overWebRTC publishes a sample over WHIP, or with the signalling of LiveKit: its connection is that of a participant
// that receives nothing, on the shared event loop, and its packets are those of the shared sample.
type overWebRTC struct {
	endpoint *url.URL
	token    string
	config   whep.Config
	tracks   []livekit.PublishedTrack // of LiveKit; nil for WHIP
	dynacast bool                     // of LiveKit
}

func (p *Publications) overWebRTC(endpoint *url.URL, token string, room *whep.Room, params protocol.AudiencePublishParams) *overWebRTC {
	client := signalling.NewClient()
	client.AllowCrossOrigin, client.SelfSigned = params.AllowCrossOrigin, params.SelfSigned
	client.Proxies = proxy.New(params.Proxy)
	var login *signalling.Login
	if params.Login != nil {
		login = &signalling.Login{User: params.Login.User, Password: params.Login.Password}
	}
	return &overWebRTC{endpoint: endpoint, token: token, config: whep.Config{Endpoint: endpoint, Identities: &signalling.Identities{BearerToken: token, Login: login}, StageTimeout: stageTimeout, Client: client,
		Loop: p.config.Loop, Certificate: p.config.Certificate, Room: room, Pacer: &p.pacer, Hosts: p.config.Hosts}}
}

func (w *overWebRTC) publish(ctx context.Context, a attempt) error {
	config := w.config
	config.Warn = a.warn
	if w.tracks != nil {
		config.NewSignaller = livekit.NewPublishers(config.Client, w.endpoint, []string{w.token}, w.tracks, livekit.Options{Dynacast: w.dynacast}).Next
	}
	group := whep.NewGroup(config)
	v := group.New()
	f := v.Connect(ctx, a.forced)
	if f == nil && ctx.Err() == nil {
		end := a.meter.follow(func() viewer.Sent { return *v.Read(monotonic.Now()).Sent })
		a.live()
		if sentence := refusedLayers(w.endpoint.Host, v.Read(monotonic.Now()).Sent.Layers, 1+len(config.Room.Smaller)); sentence != "" {
			a.warn(sentence)
		}
		f = w.play(ctx, v)
		end()
	}
	var err error
	lostAt := monotonic.Nano()
	if f != nil && ctx.Err() == nil {
		err = w.refusal(f)
		if sent := v.Read(monotonic.Now()).Sent; isSilence(f.Cause) && sent != nil && sent.RespondedAt != 0 {
			lostAt = sent.RespondedAt
		}
	}
	closing, cancel := context.WithTimeout(a.forced, closeTimeout)
	defer cancel()
	if closeErr := v.Disconnect(closing, a.forced.Err() != nil); err == nil && a.forced.Err() == nil {
		err = closeErr
	}
	if err = w.redact(err); err == nil {
		return nil
	}
	return lost{err, lostAt}
}

// lost is why a session ended, and since when its server did not respond.
type lost struct {
	error
	// at is in monotonic nanoseconds.
	at int64
}

func (l lost) Unwrap() error            { return l.error }
func (l lost) SilentFor() time.Duration { return monotonic.Since(l.at) }

// isSilence: a server that ends a session for another cause has responded until then.
func isSilence(cause protocol.Cause) bool {
	return cause == protocol.CauseConsentLost || cause == protocol.CauseRefused
}

// play ends with ctx (nil) or with the session.
func (w *overWebRTC) play(ctx context.Context, v viewer.Viewer) *failure.Failure {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		if f := v.Tick(monotonic.Now()); f != nil {
			return f
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// refusal explains the reasons that the user can fix.
func (w *overWebRTC) refusal(f *failure.Failure) error {
	detail := strings.TrimSuffix(f.Detail, ".")
	switch f.Cause {
	case protocol.HTTPCause(401), protocol.HTTPCause(403):
		return fmt.Errorf("the server refused the credentials for this stream; check the token: %s", detail)
	case protocol.HTTPCause(409):
		return fmt.Errorf("the stream name is in use already: %s", detail)
	case protocol.HTTPCause(404):
		if w.tracks == nil {
			return fmt.Errorf("the server has no WHIP endpoint at this address: %s", detail)
		}
	case protocol.CauseNotSDP, protocol.CauseNoICE, protocol.CauseNoFingerprint:
		return fmt.Errorf("the answer of %s is invalid: %s", w.endpoint.Host, detail)
	case protocol.CauseNoCodec:
		return fmt.Errorf("%s does not accept the sample's video codec %s: %s", w.endpoint.Host, w.config.Room.Sample.Codec, detail)
	}
	if f.Stage == failure.ICE {
		return fmt.Errorf("%s accepted the offer, but its media address does not respond. UDP may be blocked, or the server announces an unreachable address: %s", w.endpoint.Host, detail)
	}
	return errors.New(detail)
}

// redact removes the address's parameters from a sentence: they may contain a key.
func (w *overWebRTC) redact(err error) error {
	if err == nil || w.endpoint.RawQuery == "" || !strings.Contains(err.Error(), w.endpoint.RawQuery) {
		return err
	}
	return errors.New(strings.ReplaceAll(err.Error(), w.endpoint.RawQuery, "…"))
}
