package audience

import (
	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/livekit"
	"fullhouse/agent/internal/media"
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

// tracksOf are the tracks of a sample, named like its streams.
func tracksOf(sample *media.Sample) []livekit.PublishedTrack {
	var tracks []livekit.PublishedTrack
	if sample.HasAudio() {
		tracks = append(tracks, livekit.PublishedTrack{Name: media.Audio.String(), Audio: true})
	}
	kilobits, _ := sample.Rate()
	return append(tracks, livekit.PublishedTrack{Name: media.Video.String(), Codec: sample.Codec.String(), Width: sample.Width, Height: sample.Height,
		BitsPerSecond: int(1000 * kilobits)})
}
