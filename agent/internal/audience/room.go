package audience

import (
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/whep"
)

// room checks what the participants of a job publish.
func (a *Audience) room(params protocol.JobRoom) (*whep.Room, error) {
	if params.Size < protocol.MinRoomSize || params.Size > protocol.MaxRoomSize {
		return nil, control.BadRequest("The size of a room is %d; it must be %d to %d.", params.Size, protocol.MinRoomSize, protocol.MaxRoomSize)
	}
	sample, err := a.published.SampleOf(params.Sample)
	if err != nil {
		return nil, err
	}
	return &whep.Room{Size: params.Size, Sample: sample}, nil
}
