package control

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fullhouse/agent/internal/admission"
	"fullhouse/agent/internal/protocol"
)

const (
	// refusalWindow is the time over which refused connections are counted and reported once.
	refusalWindow = time.Minute
	// noteworthy is more than readiness probes and a port scan cause.
	noteworthy = 20
)

// refusals reports connections without the token: they are the cause when others at this port have to wait.
type refusals struct {
	recent       []refusal
	lastReported time.Duration
	hasReported  bool
}

type refusal struct {
	at    time.Duration
	count int
	users map[uint32]int
}

// note adds what was refused until now, a time since a fixed point, and returns the event to record, if any.
func (r *refusals) note(now time.Duration, refused admission.Refusals) (event protocol.AgentEvent, any bool) {
	r.recent = slices.DeleteFunc(r.recent, func(each refusal) bool { return now-each.at >= refusalWindow })
	if refused.Count > 0 {
		r.recent = append(r.recent, refusal{now, refused.Count, refused.Users})
	}
	if r.hasReported && now-r.lastReported < refusalWindow {
		return protocol.AgentEvent{}, false
	}
	count, users := 0, map[uint32]int{}
	for _, each := range r.recent {
		count += each.count
		for uid, of := range each.users {
			users[uid] += of
		}
	}
	if count < noteworthy {
		return protocol.AgentEvent{}, false
	}
	r.hasReported, r.lastReported = true, now
	return protocol.AgentEvent{Name: protocol.EventWarning, Message: refusedSentence(count, users)}, true
}

func refusedSentence(count int, users map[uint32]int) string {
	from := ""
	if len(users) > 0 {
		names := make([]string, 0, len(users))
		for _, uid := range slices.Sorted(maps.Keys(users)) {
			names = append(names, fmt.Sprint(uid))
		}
		if len(names) > 4 {
			names = append(names[:4], "others")
		}
		from = ", from other users of this machine (uid " + strings.Join(names, ", ") + ")"
	}
	return fmt.Sprintf("%d connections without the token were refused in the last minute at the agent's port%s. "+
		"They take no resources of the viewers; end the program that opens them.", count, from)
}
