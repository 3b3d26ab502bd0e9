// Package control is the agent's side of the protocol with the engine (docs/agent-protocol.md): a WebSocket on loopback
// that responds to requests and streams numbered records. It does not depend on what a role does.
package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fullhouse/agent/internal/protocol"
)

// Error is a refusal with a constant code and one sentence for the user.
type Error protocol.Error

func (e *Error) Error() string { return e.Message }

// Errorf makes an Error with the code.
func Errorf(code, format string, arguments ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// BadRequest makes the Error for invalid parameters.
func BadRequest(format string, arguments ...any) *Error {
	return Errorf("bad-request", format, arguments...)
}

// DecodeParams decodes params into target and refuses unknown fields: a misspelt option must not be silently ignored.
// Absent params are an empty object.
func DecodeParams(params json.RawMessage, target any) error {
	if len(bytes.TrimSpace(params)) == 0 {
		params = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(target); err != nil {
		return BadRequest("Invalid parameters: %v.", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return BadRequest("Invalid parameters: extra data after the object.")
	}
	return nil
}
