package livekit

import (
	"errors"
	"fmt"

	"github.com/coder/websocket"
)

// disconnectReasons are the reasons of a server for disconnecting a participant, for a sentence;
// protocol.LeftCause has their causes.
var disconnectReasons = map[uint64]string{
	2:  "another participant with the same identity joined",
	3:  "the server is shutting down",
	4:  "the participant was removed",
	5:  "the room was deleted",
	6:  "the server no longer has the viewer's state",
	7:  "joining failed",
	8:  "migration to another server",
	10: "the room was closed",
	14: "its connection timed out",
	15: "its media connection failed",
}

func disconnectReason(number uint64) string {
	if reason, isKnown := disconnectReasons[number]; isKnown {
		return reason
	}
	return fmt.Sprintf("reason %d", number)
}

func refusedReason(number uint64) string {
	switch number {
	case 1:
		return "codec not supported"
	case 2:
		return "track not found"
	}
	return fmt.Sprintf("reason %d", number)
}

// plain is the text of a connection error, without the library's prefixes.
func plain(err error) string {
	var closed websocket.CloseError
	if errors.As(err, &closed) {
		if closed.Reason != "" {
			return fmt.Sprintf("%d, %s", int(closed.Code), closed.Reason)
		}
		return fmt.Sprintf("%d", int(closed.Code))
	}
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err.Error()
}
