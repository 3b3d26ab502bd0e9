package livekit

import (
	"errors"
	"fmt"

	"github.com/coder/websocket"
)

// reason is why a server disconnects a participant: for counting and as text.
type reason struct{ cause, words string }

var disconnectReasons = map[uint64]reason{
	2:  {"duplicate-identity", "another participant with the same identity joined"},
	3:  {"server-shutdown", "the server is shutting down"},
	4:  {"removed", "the participant was removed"},
	5:  {"room-deleted", "the room was deleted"},
	6:  {"state-mismatch", "the server no longer has the viewer's state"},
	7:  {"join-failure", "joining failed"},
	8:  {"migration", "migration to another server"},
	10: {"room-closed", "the room was closed"},
	14: {"connection-timeout", "its connection timed out"},
	15: {"media-failure", "its media connection failed"},
}

func disconnectReason(number uint64) reason {
	if known, found := disconnectReasons[number]; found {
		return known
	}
	return reason{fmt.Sprintf("reason-%d", number), fmt.Sprintf("reason %d", number)}
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
