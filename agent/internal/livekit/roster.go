package livekit

import "fullhouse/agent/internal/budget"

const (
	// maxRoster bounds what a viewer keeps of the participants of its room, over all messages: thousands of them.
	maxRoster = 4 << 20
	// participantCost and trackCost are what they take besides their names.
	participantCost = 160
	trackCost       = 64
)

// roster are the participants of a room by their identity, as far as they are there.
type roster struct {
	list map[string]participant
	size int
}

// update takes the participants of a message.
func (r *roster) update(participants []participant) error {
	if r.list == nil {
		r.list = map[string]participant{}
	}
	for _, one := range participants {
		if before, isKnown := r.list[one.identity]; isKnown {
			r.size -= before.size()
			delete(r.list, one.identity)
		}
		if one.gone {
			continue
		}
		if r.size += one.size(); r.size > maxRoster {
			return &budget.Exceeded{Input: "the room", Limit: budget.Size(maxRoster) + " of participants and tracks"}
		}
		r.list[one.identity] = one
	}
	return nil
}

func (p *participant) size() int {
	bytes := participantCost + len(p.identity)
	for _, one := range p.tracks {
		bytes += trackCost + len(one.sid) + len(one.mime)
	}
	return bytes
}
