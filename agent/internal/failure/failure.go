// Package failure is where and why a viewer failed.
package failure

import (
	"fmt"

	"fullhouse/agent/internal/protocol"
)

// Stage is a step of a viewer, in order.
type Stage = protocol.Stage

// The stages, as call sites name them.
const (
	Name        = protocol.StageName
	TCP         = protocol.StageTCP
	TLS         = protocol.StageTLS
	Signalling  = protocol.StageSignalling
	TURN        = protocol.StageTURN
	ICE         = protocol.StageICE
	DTLS        = protocol.StageDTLS
	FirstPacket = protocol.StageFirstPacket
	FirstFrame  = protocol.StageFirstFrame
	Media       = protocol.StageMedia
)

// Failure groups by Stage and Cause, which are short and constant; Detail is one sentence with the figures.
type Failure protocol.Failure

func (f *Failure) Error() string {
	return fmt.Sprintf("%s: %s: %s", f.Stage, f.Cause, f.Detail)
}

// New makes a Failure with a formatted detail.
func New(stage Stage, cause protocol.Cause, format string, arguments ...any) *Failure {
	return &Failure{Stage: stage, Cause: cause, Detail: fmt.Sprintf(format, arguments...)}
}
