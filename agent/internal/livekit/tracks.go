package livekit

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// mimeH264 is the one codec whose frames viewers count.
const mimeH264 = "video/h264"

// pick chooses the tracks to watch: the video of the first participant to join that publishes H.264, and its audio.
func pick(participants map[string]participant) (sids []string) {
	for _, one := range inOrder(participants) {
		video := slices.IndexFunc(one.tracks, func(t track) bool { return t.kind == videoTrack && strings.EqualFold(t.mime, mimeH264) && t.sid != "" })
		if video < 0 {
			continue
		}
		sids = append(sids, one.tracks[video].sid)
		if audio := slices.IndexFunc(one.tracks, func(t track) bool { return t.kind == audioTrack && t.sid != "" }); audio >= 0 {
			sids = append(sids, one.tracks[audio].sid)
		}
		return sids
	}
	return nil
}

// otherVideo is the codec of an unsupported video; empty for none.
func otherVideo(participants map[string]participant) string {
	for _, one := range inOrder(participants) {
		for _, t := range one.tracks {
			if t.kind == videoTrack && t.mime != "" && !strings.EqualFold(t.mime, mimeH264) {
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
