package livekit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"fullhouse/agent/internal/media/rtppayload"
)

// isSupported reports whether viewers can count the frames of a video's codec.
func (t track) isSupported() bool {
	name, isVideo := strings.CutPrefix(strings.ToLower(t.mime), "video/")
	return isVideo && rtppayload.ByName(name) != rtppayload.None
}

// pick chooses the tracks to watch: the first supported video of the first participant to join that publishes one, and
// its audio; or the audio of the first that publishes any. layers is how many the video has.
func pick(participants map[string]participant, options Options) (sids []string, layers int) {
	for _, one := range inOrder(participants) {
		if options.Participant != "" && options.Participant != one.identity {
			continue
		}
		audio := slices.IndexFunc(one.tracks, func(t track) bool { return t.kind == audioTrack && t.sid != "" })
		if options.AudioOnly {
			if audio >= 0 {
				return []string{one.tracks[audio].sid}, 0
			}
			continue
		}
		video := slices.IndexFunc(one.tracks, func(t track) bool { return t.kind == videoTrack && t.isSupported() && t.sid != "" })
		if video < 0 {
			continue
		}
		sids = append(sids, one.tracks[video].sid)
		if audio >= 0 {
			sids = append(sids, one.tracks[audio].sid)
		}
		return sids, one.tracks[video].layers
	}
	return nil, 0
}

// otherVideo is the codec of an unsupported video; empty for none.
func otherVideo(participants map[string]participant) string {
	for _, one := range inOrder(participants) {
		for _, t := range one.tracks {
			if t.kind == videoTrack && t.mime != "" && !t.isSupported() {
				return t.mime
			}
		}
	}
	return ""
}

func inOrder(participants map[string]participant) []participant {
	return slices.SortedFunc(maps.Values(participants), func(a, b participant) int {
		return cmp.Or(cmp.Compare(a.joinedAt, b.joinedAt), cmp.Compare(a.identity, b.identity))
	})
}
