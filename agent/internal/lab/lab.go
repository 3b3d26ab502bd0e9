// Package lab is a small WHIP/WHEP origin with a looping sample, for trials and tests. It is not a media server: no
// transcoding, no adaptation, no access control, and loopback only unless configured otherwise.
package lab

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
	"time"

	"fullhouse/agent/internal/admission"
	"fullhouse/agent/internal/lab/recorder"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/lab/whep"
	"fullhouse/agent/internal/lab/whip"
	"fullhouse/agent/internal/protocol"
)

// Config is the lab's configuration. Addresses are on loopback unless Network is set, port 0 for any.
type Config struct {
	HTTP  string
	Media string
	// Network allows addresses that other machines can reach.
	Network bool
	// Samples is the folder with the sample files.
	Samples string
	// Event records what happens to streams.
	Event func(protocol.AgentEvent)
	// Log receives sentences for the user.
	Log *log.Logger
	// Idle is the silence after which a viewer times out; 0: whep.DefaultIdle.
	Idle time.Duration
}

// Lab serves streams to viewers until Close.
type Lab struct {
	config     Config
	listener   *admission.Listener
	web        *http.Server
	peers      *whep.Peers
	publishers *whip.Publishers
	serving    sync.WaitGroup

	mutex         sync.Mutex
	closed        bool
	streams       map[string]*stream
	recordings    map[string]*recorder.Origin
	lastRecording int

	totals   udp.Totals // at the last sample, which one goroutine takes
	failures failures
}

// Start opens the lab's sockets and serves.
func Start(config Config) (*Lab, error) {
	if config.Idle == 0 {
		config.Idle = whep.DefaultIdle
	}
	media, err := config.address("--media", config.Media)
	if err != nil {
		return nil, err
	}
	address, err := config.address("--http", config.HTTP)
	if err != nil {
		return nil, err
	}
	lab := &Lab{config: config, streams: map[string]*stream{}, recordings: map[string]*recorder.Origin{}}
	if lab.publishers, err = whip.New(media.Addr()); err != nil {
		return nil, fmt.Errorf("preparing the lab for publishers failed: %w", err)
	}
	listener, err := net.Listen("tcp", address.String())
	if err != nil {
		return nil, listenError("--http", config.HTTP, err)
	}
	lab.listener = admission.NewListener(listener, connectionLimits)
	if lab.peers, err = whep.Listen(media, config.Idle, lab.failures.note); err != nil {
		return nil, errors.Join(listenError("--media", config.Media, err), lab.listener.Close())
	}
	lab.web = &http.Server{Handler: lab.handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: maxHeaderBytes,
		ConnContext: admission.Context, ErrorLog: config.Log}
	lab.serving.Add(1)
	go func() {
		defer lab.serving.Done()
		if err := lab.web.Serve(lab.listener); !errors.Is(err, http.ErrServerClosed) {
			config.Log.Printf("The lab's HTTP server ended: %v.", err)
		}
	}()
	return lab, nil
}

// connectionLimits are ample for requests of a few milliseconds: the lab has no access control, so each is as good as
// another, but those of one user or machine must not keep out the rest.
var connectionLimits = admission.Limits{Waiting: 512, Foreign: 128, PerPeer: 256}

const maxHeaderBytes = 16 << 10

// noteSurplus reports connections that were closed for newer ones.
func (l *Lab) noteSurplus() {
	if surplus := l.listener.TakeRefused().Surplus; surplus > 0 {
		l.failures.note(fmt.Sprintf("%d HTTP connections to the lab were closed, because more were open at once than it allows (%d, or %d of one machine, or %d of other users of this machine).",
			surplus, connectionLimits.Waiting, connectionLimits.PerPeer, connectionLimits.Foreign))
	}
}

// address parses an address and refuses what other machines could reach, unless allowed. The media address is sent to
// viewers, so they must be able to send to it.
func (config Config) address(option, text string) (netip.AddrPort, error) {
	resolved, err := net.ResolveUDPAddr("udp", text)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("%q is not an address for %s; expected for example 127.0.0.1:0", text, option)
	}
	address := resolved.AddrPort()
	address = netip.AddrPortFrom(address.Addr().Unmap(), address.Port())
	if config.Network && address.Addr().IsUnspecified() {
		return netip.AddrPort{}, fmt.Errorf("%s means all addresses, which viewers can't send to; use %s with this machine's own", text, option)
	}
	if !config.Network && !address.Addr().IsLoopback() {
		return netip.AddrPort{}, fmt.Errorf("the lab serves on loopback only, and %s is not; use %s 127.0.0.1:0, or --network to allow other machines", text, option)
	}
	return address, nil
}

// windowsAddressInUse is WSAEADDRINUSE, which package syscall does not name on every system.
const windowsAddressInUse = syscall.Errno(10048)

func listenError(option, text string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windowsAddressInUse) {
		return fmt.Errorf("%s is in use by another program; stop it, or choose another address with %s (port 0 for any free one)", text, option)
	}
	return fmt.Errorf("listening on %s failed: %w", text, err)
}

// HTTP is the address of WHIP and WHEP.
func (l *Lab) HTTP() string { return l.listener.Addr().String() }

// Close ends every stream and viewer, and waits for them.
func (l *Lab) Close() error {
	l.mutex.Lock()
	l.closed = true
	streams := make([]*stream, 0, len(l.streams))
	for _, s := range l.streams {
		streams = append(streams, s)
	}
	l.mutex.Unlock()
	problems := []error{l.closeRecordings()}
	for _, s := range streams {
		_, err := l.endStream(s, "the lab is closing")
		problems = append(problems, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if l.web.Shutdown(ctx) != nil { // a request is still open
		problems = append(problems, l.web.Close())
	}
	l.serving.Wait()
	return errors.Join(append(problems, l.peers.Close())...)
}

// failures collects the sentences about failed viewers: many failures must not flood the records.
type failures struct {
	mutex  sync.Mutex
	count  int
	latest string
}

func (f *failures) note(sentence string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.count++
	f.latest = sentence
}

// take drains it into one sentence.
func (f *failures) take() (sentence string, any bool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	sentence, any = f.latest, f.count > 0
	if f.count > 1 {
		sentence = fmt.Sprintf("%s %d more failed within the same second.", f.latest, f.count-1)
	}
	f.count = 0
	return sentence, any
}
