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

// roomOf is the room of participants, or of viewers that receive several videos of one; nil for those of one video.
func (a *Audience) roomOf(params protocol.AudienceStartParams) (*whep.Room, error) {
	switch {
	case params.Room != nil && params.Videos != nil:
		return nil, control.BadRequest("Participants of rooms receive all others: leave videos out.")
	case params.Room != nil:
		return a.room(*params.Room)
	case params.Videos == nil:
		return nil, nil
	case *params.Videos < 1 || *params.Videos > protocol.AudienceStartVideosMax:
		return nil, control.BadRequest("videos is %d; it must be 1 to %d.", *params.Videos, protocol.AudienceStartVideosMax)
	case isAudioOnly(params) || params.Participant != "" || params.AdaptiveStream != nil:
		return nil, control.BadRequest("Viewers of several videos receive those of all participants completely: leave tracks, participant and adaptiveStream out.")
	}
	return &whep.Room{Size: 1 + *params.Videos}, nil
}
