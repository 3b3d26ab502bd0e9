// Package plain is the straightforward audience: one pion/webrtc PeerConnection per viewer with the library's default
// interceptors, and a goroutine per track that reads and counts packets. Our audience is compared with it.
package plain

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v4"

	"fullhouse/agent/internal/bench/tally"
	"fullhouse/agent/internal/signalling"
)

const timeout = 20 * time.Second

// Group are the viewers of one endpoint.
type Group struct {
	tally.Tally
	endpoint  *url.URL
	api       *webrtc.API
	config    webrtc.Configuration
	signaller *signalling.Client

	mutex   sync.Mutex
	viewers []*viewer
}

type viewer struct {
	connection *webrtc.PeerConnection
	session    *url.URL
}

// New prepares a group; all viewers share one API and one certificate.
func New(endpoint *url.URL) (*Group, error) {
	engine := &webrtc.MediaEngine{}
	registry := &interceptor.Registry{}
	if err := errors.Join(engine.RegisterDefaultCodecs(), webrtc.RegisterDefaultInterceptors(engine, registry)); err != nil {
		return nil, err
	}
	settings := webrtc.SettingEngine{}
	settings.SetIncludeLoopbackCandidate(true)
	settings.SetInterfaceFilter(func(name string) bool { return name == "lo" })
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	certificate, err := newCertificate()
	if err != nil {
		return nil, err
	}
	return &Group{endpoint: endpoint, signaller: signalling.NewClient(), config: webrtc.Configuration{Certificates: []webrtc.Certificate{*certificate}},
		api: webrtc.NewAPI(webrtc.WithMediaEngine(engine), webrtc.WithInterceptorRegistry(registry), webrtc.WithSettingEngine(settings))}, nil
}

// Connect connects the viewers, at most parallel at once, and returns when each has its first packet or has failed.
func (c *Group) Connect(ctx context.Context, viewers, parallel int) {
	places := make(chan struct{}, parallel)
	var coming sync.WaitGroup
	for range viewers {
		places <- struct{}{}
		coming.Add(1)
		go func() {
			defer coming.Done()
			defer func() { <-places }()
			if err := c.connect(ctx); err != nil {
				c.Failed.Add(1)
				c.Note(err)
				return
			}
			c.Connected.Add(1)
		}()
	}
	coming.Wait()
}

func (c *Group) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	connection, err := c.api.NewPeerConnection(c.config)
	if err != nil {
		return err
	}
	v := &viewer{connection: connection}
	c.mutex.Lock()
	c.viewers = append(c.viewers, v)
	c.mutex.Unlock()
	first, once := make(chan struct{}), sync.Once{}
	connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		for {
			packet, _, err := track.ReadRTP()
			if err != nil {
				return
			}
			once.Do(func() { close(first) })
			c.Packets.Add(1)
			c.Bytes.Add(uint64(packet.MarshalSize()))
		}
	})
	receive := webrtc.RTPTransceiverInit{Direction: webrtc.RTPTransceiverDirectionRecvonly}
	for _, kind := range []webrtc.RTPCodecType{webrtc.RTPCodecTypeAudio, webrtc.RTPCodecTypeVideo} {
		if _, err := connection.AddTransceiverFromKind(kind, receive); err != nil {
			return err
		}
	}
	if err := c.signal(ctx, v); err != nil {
		return err
	}
	select {
	case <-first:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("no packet within %s, the connection is %s", timeout, connection.ConnectionState())
	}
}

func (c *Group) signal(ctx context.Context, v *viewer) error {
	offer, err := v.connection.CreateOffer(nil)
	if err != nil {
		return err
	}
	gatheringDone := webrtc.GatheringCompletePromise(v.connection)
	if err := v.connection.SetLocalDescription(offer); err != nil {
		return err
	}
	select {
	case <-gatheringDone:
	case <-ctx.Done():
		return ctx.Err()
	}
	answer, refusal := c.signaller.Post(ctx, c.endpoint, signalling.Identity{}, v.connection.LocalDescription().SDP)
	if refusal != nil {
		return errors.New(refusal.Detail)
	}
	c.mutex.Lock()
	v.session = answer.Session
	c.mutex.Unlock()
	return v.connection.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer.Body})
}

// Disconnect closes all sessions, 32 at once, and waits for it.
func (c *Group) Disconnect(ctx context.Context) {
	c.mutex.Lock()
	viewers := c.viewers
	c.viewers = nil
	c.mutex.Unlock()
	places := make(chan struct{}, 32)
	var leaving sync.WaitGroup
	for _, v := range viewers {
		places <- struct{}{}
		leaving.Add(1)
		go func() {
			defer leaving.Done()
			defer func() { <-places }()
			if v.session != nil {
				_ = c.signaller.Delete(ctx, c.endpoint, v.session, signalling.Identity{}) // the server's timeout ends the session
			}
			_ = v.connection.Close() // the viewer is finished either way
		}()
	}
	leaving.Wait()
}
