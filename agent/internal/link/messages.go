// Package link is the agent's side of the protocol with the engine (docs/agent-protocol.md): a WebSocket on
// loopback that answers requests and streams numbered records. What a role does is none of its business.
package link

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fullhouse/agent/internal/host"
)

// ProtocolVersion is the number both sides must share.
const ProtocolVersion = 1

// Listening is the one line the agent prints to standard output when it is ready.
type Listening struct {
	Type     string `json:"type"`
	Protocol int    `json:"protocol"`
	Agent    string `json:"agent"`
	Role     string `json:"role"`
	Address  string `json:"address"`
	PID      int    `json:"pid"`
	HTTP     string `json:"http,omitempty"`
	Media    string `json:"media,omitempty"`
	// Running is set by `start` for an agent that was there already.
	Running bool `json:"running,omitempty"`
	// Warnings are sentences about what this machine allows less of than one would want.
	Warnings []string `json:"warnings,omitempty"`
}

// Request is what the engine asks.
type Request struct {
	Type   string          `json:"type"`
	ID     int64           `json:"id"`
	Call   string          `json:"call"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Response answers one Request.
type Response struct {
	Type   string `json:"type"`
	ID     int64  `json:"id"`
	OK     bool   `json:"ok"`
	Result any    `json:"result,omitempty"`
	Error  *Error `json:"error,omitempty"`
}

// Record is one numbered sample or event.
type Record struct {
	Type     string `json:"type"`
	Sequence uint64 `json:"sequence"`
	TimeMs   int64  `json:"timeMs"`
	Kind     string `json:"kind"`
	Sample   any    `json:"sample,omitempty"`
	Event    *Event `json:"event,omitempty"`
}

// Event is something that happened, told in one sentence.
type Event struct {
	Name   string `json:"name"`
	Job    string `json:"job,omitempty"`
	Stream string `json:"stream,omitempty"`
	// StepMs is by how much the clock was set, of "clock-stepped".
	StepMs  int64  `json:"stepMs,omitempty"`
	Message string `json:"message"`
}

// HelloParams open a connection; without ResumeAfter only new records are sent.
type HelloParams struct {
	Protocol    int     `json:"protocol"`
	Client      Client  `json:"client"`
	ResumeAfter *uint64 `json:"resumeAfter,omitempty"`
}

// Client says who calls.
type Client struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// HelloResult is the agent's introduction.
type HelloResult struct {
	Protocol       int       `json:"protocol"`
	Agent          string    `json:"agent"`
	Role           string    `json:"role"`
	Instance       string    `json:"instance"`
	PID            int       `json:"pid"`
	NowMs          int64     `json:"nowMs"`
	OldestSequence uint64    `json:"oldestSequence"`
	LatestSequence uint64    `json:"latestSequence"`
	Host           host.Host `json:"host"`
	Limits         Limits    `json:"limits"`
	Protocols      []string  `json:"protocols,omitempty"`
	// Publishes is by what a sample can be published; absent without samples.
	Publishes []string `json:"publishes,omitempty"`
	// Reader is how an audience receives datagrams: io_uring, epoll or portable.
	Reader string `json:"reader,omitempty"`
	HTTP   string `json:"http,omitempty"`
}

// Limits is what this agent can do at most; OpenFiles is 0 where the system sets no such limit.
type Limits struct {
	OpenFiles uint64 `json:"openFiles"`
	Viewers   int    `json:"viewers"`
}

// PingResult lets the engine measure the clocks' offset.
type PingResult struct {
	NowMs int64 `json:"nowMs"`
}

// StopParams end viewers; Force does so without a word to the server.
type StopParams struct {
	Force bool `json:"force,omitempty"`
}

// LeftResult counts the viewers still there at this moment.
type LeftResult struct {
	Left int `json:"left"`
}

// Error is a refusal with a constant code and one sentence for people.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an Error with the code.
func Errorf(code, format string, arguments ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// BadRequest makes the Error for parameters that can't be used.
func BadRequest(format string, arguments ...any) *Error {
	return Errorf("bad-request", format, arguments...)
}

// DecodeParams reads params into target and refuses unknown fields: a misspelt option must not be silently
// ignored. Absent params are an empty object.
func DecodeParams(params json.RawMessage, target any) error {
	if len(bytes.TrimSpace(params)) == 0 {
		params = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return BadRequest("The parameters can't be read: %v.", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return BadRequest("The parameters can't be read: something follows the object.")
	}
	return nil
}
