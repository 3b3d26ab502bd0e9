package control

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fullhouse/agent/internal/admission"
	"fullhouse/agent/internal/host"
	"fullhouse/agent/internal/monotonic"
	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/protocol"
)

// disconnectTimeout is how long an exiting agent waits for its viewers to disconnect properly before it closes sockets.
const disconnectTimeout = 10 * time.Second

// closeTimeout is the time limit for delivering the last records.
const closeTimeout = time.Second

// admissionTimeout suffices over a slow tunnel too.
const admissionTimeout = 5 * time.Second

// maxHeaderBytes is ample for the headers of a console.
const maxHeaderBytes = 4 << 10

// Connections without the token: part of the descriptors that an audience reserves.
const maxWaiting, maxForeign = 32, 8

// Config is the configuration of a Server.
type Config struct {
	Role    Role
	Records *Records
	// Version is the agent's own.
	Version string
	// Token must be presented by every connection.
	Token string
	// Listen is a loopback address with a port, 0 for any.
	Listen string
	// IdleTimeout is the time without a call from any console after which all viewers are disconnected.
	IdleTimeout time.Duration
	// ExitWhenIdle ends Serve after that.
	ExitWhenIdle bool
	// ExitAfter is the time without a call from any console after which Serve ends; 0: never.
	ExitAfter time.Duration
	// OpenFiles is the process's limit of descriptors, 0 if unlimited.
	OpenFiles uint64
	// Log receives sentences for the user.
	Log *log.Logger
	// SampleEvery is one second except in tests.
	SampleEvery time.Duration
	// AdmissionTimeout is how long a connection may take to show the token; 5 s except in tests.
	AdmissionTimeout time.Duration
	// ClockStep returns by how much the system clock was set since the last call; by default it watches that clock.
	ClockStep func() time.Duration
}

// Server serves one role to any number of engines.
type Server struct {
	config         Config
	listener       *admission.Listener
	instance       string
	host           protocol.Host
	deadMansSwitch *deadMansSwitch // since the last frame of any connection
	startTime      time.Time
	shutdown       chan struct{}
	shutdownOnce   sync.Once
	// ending is closed when nothing more will be recorded: connections send what they have and close.
	ending      chan struct{}
	connections sync.WaitGroup
	consoles    atomic.Int64 // connections that have sent hello
}

// Listen opens the server's socket; Serve serves it.
func Listen(config Config) (*Server, error) {
	if err := checkLoopback(config.Listen); err != nil {
		return nil, err
	}
	if config.SampleEvery == 0 {
		config.SampleEvery = time.Second
	}
	if config.AdmissionTimeout == 0 {
		config.AdmissionTimeout = admissionTimeout
	}
	if config.ClockStep == nil {
		config.ClockStep = monotonic.NewSteps().Check
	}
	listener, err := net.Listen("tcp", config.Listen)
	if err != nil {
		return nil, fmt.Errorf("listening on %s failed: %w", config.Listen, err)
	}
	id := make([]byte, 8)
	if _, err := rand.Read(id); err != nil {
		return nil, fmt.Errorf("no randomness for the instance: %w", err)
	}
	bounded := admission.NewListener(listener, admission.Limits{Waiting: maxWaiting, Foreign: maxForeign, Time: config.AdmissionTimeout})
	return &Server{config: config, listener: bounded, instance: hex.EncodeToString(id), host: host.Read(), deadMansSwitch: newDeadMansSwitch(config.IdleTimeout, 0),
		startTime: time.Now(), shutdown: make(chan struct{}), ending: make(chan struct{})}, nil
}

func checkLoopback(address string) error {
	name, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not an address to listen on; expected for example 127.0.0.1:0", address)
	}
	if ip := net.ParseIP(name); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("the agent listens on loopback only, and %s is not; use 127.0.0.1:0 and an SSH tunnel", name)
	}
	return nil
}

// Instance is the random id of this server.
func (s *Server) Instance() string { return s.instance }

// Listening is the line for standard output.
func (s *Server) Listening() protocol.AgentListening {
	announcement := s.config.Role.Announcement()
	return protocol.AgentListening{Type: "listening", Protocol: protocol.ProtocolVersion, Agent: s.config.Version,
		Role: s.config.Role.Name(), Address: s.listener.Addr().String(), PID: os.Getpid(), HTTP: announcement.HTTP,
		Media: announcement.Media}
}

// Serve serves until ctx ends, a client requests shutdown, or no console calls any more (ExitWhenIdle). It then
// disconnects all viewers, waits for that, and closes the role.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	mux := http.NewServeMux()
	// Connections outlive ctx: they send the last records.
	connectionContext, cancelConnections := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelConnections()
	mux.HandleFunc("GET /v1", func(w http.ResponseWriter, r *http.Request) { s.accept(connectionContext, w, r) })
	web := &http.Server{Handler: mux, ReadHeaderTimeout: s.config.AdmissionTimeout, WriteTimeout: s.config.AdmissionTimeout,
		MaxHeaderBytes: maxHeaderBytes, ConnContext: admission.Context, ErrorLog: log.New(io.Discard, "", 0)}
	web.SetKeepAlivesEnabled(false) // what was refused is closed
	served := make(chan error, 1)
	go func() { served <- web.Serve(s.listener) }()
	sampled := make(chan struct{})
	sampling, stopSampling := context.WithCancel(context.WithoutCancel(ctx)) // sampling continues while viewers disconnect
	defer stopSampling()
	go func() { defer close(sampled); s.sampleLoop(sampling) }()

	var err error
	select {
	case <-ctx.Done():
	case <-s.shutdown:
	case <-s.watchConsoles(sampling):
	case err = <-served:
		err = fmt.Errorf("the agent's server failed: %w", err)
	}
	s.disconnectAll()
	stopSampling()
	<-sampled
	err = errors.Join(err, s.config.Role.Close())
	close(s.ending)
	s.waitForConnections()
	return errors.Join(err, web.Close())
}

// requestShutdown ends Serve, once its response is sent.
func (s *Server) requestShutdown() { s.shutdownOnce.Do(func() { close(s.shutdown) }) }

// waitForConnections lets the last records, such as job-ended, reach the connections.
func (s *Server) waitForConnections() {
	closed := make(chan struct{})
	go func() { defer close(closed); s.connections.Wait() }()
	select {
	case <-closed:
	case <-time.After(closeTimeout):
	}
}

// disconnectAll lets all viewers disconnect properly, then closes their sockets. Connections still get samples
// meanwhile.
func (s *Server) disconnectAll() {
	deadline := time.Now().Add(disconnectTimeout)
	s.config.Role.DisconnectAll(false)
	for s.config.Role.Remaining() > 0 {
		if time.Now().After(deadline) {
			s.config.Log.Printf("%d viewers or publications did not end within %s. Closing their sockets.", s.config.Role.Remaining(), disconnectTimeout)
			s.config.Role.DisconnectAll(true)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// sampleLoop takes a sample each interval of the monotonic clock; a late one contains its actual interval.
func (s *Server) sampleLoop(ctx context.Context) {
	meter := process.NewMeter()
	ticker := time.NewTicker(s.config.SampleEvery)
	defer ticker.Stop()
	last := time.Now()
	pauses := monotonic.NewPauses(s.config.SampleEvery, last.Sub(s.startTime))
	var refused refusals
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true // with a last sample, which shows that no viewer remains
		case <-ticker.C:
		}
		if step := s.config.ClockStep(); step != 0 {
			s.config.Records.Event(clockStepped(step))
		}
		now := time.Now()
		interval := now.Sub(last)
		if _, paused := pauses.Check(now.Sub(s.startTime)); paused {
			s.config.Records.Event(didNotRun(interval))
		}
		if event, any := refused.note(now.Sub(s.startTime), s.listener.TakeRefused()); any {
			s.config.Records.Event(event)
			s.config.Log.Print(event.Message)
		}
		s.config.Records.Sample(s.config.Role.Sample(meter.Sample(), interval))
		last = now
	}
}

// clockStepped reports that the clock of this machine was set. The agent's timestamps are not affected.
func clockStepped(step time.Duration) protocol.AgentEvent {
	direction := "forward"
	if step < 0 {
		direction = "back"
	}
	message := fmt.Sprintf("The clock of this machine was set %s by %d s. The agent's timestamps are not affected.",
		direction, int64(step.Abs().Round(time.Second).Seconds()))
	return protocol.AgentEvent{Name: protocol.EventClockStepped, StepMs: step.Milliseconds(), Message: message}
}

// didNotRun reports an interval without a sample: what happened meanwhile was not measured.
func didNotRun(interval time.Duration) protocol.AgentEvent {
	message := fmt.Sprintf("The agent did not run for %d s: its process was stopped or its machine asleep or overloaded. Its figures of that time are missing.",
		int64(interval.Round(time.Second).Seconds()))
	return protocol.AgentEvent{Name: protocol.EventWarning, Message: message}
}

// watchConsoles is the dead man's switch. The channel closes when it requires the agent to exit.
func (s *Server) watchConsoles(ctx context.Context) <-chan struct{} {
	end := make(chan struct{})
	go func() {
		ticker := time.NewTicker(s.deadMansSwitch.every)
		defer ticker.Stop()
		idle := false
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			silence := s.deadMansSwitch.tick(time.Since(s.startTime))
			if s.config.ExitAfter > 0 && silence >= s.config.ExitAfter {
				s.config.Log.Printf("No console connected for %s: the agent exits.", s.config.ExitAfter)
				close(end)
				return
			}
			wasIdle := idle
			if idle = silence >= s.config.IdleTimeout; !idle || wasIdle {
				continue
			}
			left := s.config.Role.DisconnectAll(false)
			message := fmt.Sprintf("No console connected for %s: %d viewers disconnected.", s.config.IdleTimeout, left)
			s.config.Records.Event(protocol.AgentEvent{Name: protocol.EventUnattended, Message: message})
			s.config.Log.Print(message)
			if s.config.ExitWhenIdle {
				close(end)
				return
			}
		}
	}()
	return end
}

// accept checks the request before it upgrades to WebSocket. A console that proves that it knows the token, instead of
// sending it, has to do so in its first frame.
func (s *Server) accept(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "" {
		http.Error(w, "Browsers are not served.", http.StatusForbidden)
		return
	}
	authorization := r.Header.Get("Authorization")
	var consoleProof string // the proof of the console
	switch nonce, provesIt := strings.CutPrefix(authorization, proofScheme); {
	case provesIt && noncePattern.MatchString(nonce):
		agentNonce := newNonce()
		w.Header().Set(proofHeader, agentNonce+" "+proofOf(s.config.Token, agentSide, nonce, agentNonce))
		consoleProof = proofOf(s.config.Token, consoleSide, nonce, agentNonce)
	case !isSame(authorization, bearer+s.config.Token):
		http.Error(w, "The token is missing or wrong.", http.StatusUnauthorized)
		return
	}
	s.serveConnection(ctx, w, r, consoleProof)
}
