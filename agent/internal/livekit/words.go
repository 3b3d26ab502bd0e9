package livekit

import (
	"errors"
	"fmt"

	"github.com/coder/websocket"
)

// reason is why a server sends somebody away: for counting and in words.
type reason struct{ cause, words string }

var leaveReasons = map[uint64]reason{
	2:  {"duplicate-identity", "somebody with the same identity joined"},
	3:  {"server-shutdown", "it is shutting down"},
	4:  {"removed", "somebody removed it"},
	5:  {"room-deleted", "the room was ended"},
	6:  {"state-mismatch", "it does not know the viewer any more"},
	7:  {"join-failure", "it could not let it join"},
	8:  {"migration", "it wants it to go to another server"},
	10: {"room-closed", "the room was closed"},
	14: {"connection-timeout", "its connection was not made in time"},
	15: {"media-failure", "its media did not go through"},
}

func leaveReason(number uint64) reason {
	if known, found := leaveReasons[number]; found {
		return known
	}
	return reason{fmt.Sprintf("reason-%d", number), fmt.Sprintf("reason %d", number)}
}

func refusedReason(number uint64) string {
	switch number {
	case 1:
		return "its codec does not fit"
	case 2:
		return "it is gone"
	}
	return fmt.Sprintf("reason %d", number)
}

// plain is what an error of the connection says, without what the library calls itself.
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
