// Package failure says where and why a viewer did not get its picture.
package failure

import "fmt"

// Stage is a step on a viewer's way, in order.
type Stage string

// The stages of docs/agent-protocol.md.
const (
	Name        Stage = "name"
	TCP         Stage = "tcp"
	TLS         Stage = "tls"
	Signalling  Stage = "signalling"
	ICE         Stage = "ice"
	DTLS        Stage = "dtls"
	FirstPacket Stage = "first-packet"
	FirstFrame  Stage = "first-frame"
	Media       Stage = "media"
)

// Failure groups by Stage and Cause, which are short and constant; Detail is one sentence with the figures.
type Failure struct {
	Stage  Stage  `json:"stage"`
	Cause  string `json:"cause"`
	Detail string `json:"detail"`
}

func (f *Failure) Error() string {
	return fmt.Sprintf("%s: %s: %s", f.Stage, f.Cause, f.Detail)
}

// New makes a Failure with a formatted detail.
func New(stage Stage, cause, format string, arguments ...any) *Failure {
	return &Failure{Stage: stage, Cause: cause, Detail: fmt.Sprintf(format, arguments...)}
}
