package hls

import (
	"math"
	"net/url"
	"strconv"
	"strings"
)

// cmcd is what a player tells a server about a request: Common Media Client Data (CTA-5004), keys in alphabetical
// order, as the value of the query argument CMCD. The caller holds the mutex.
func (v *Viewer) cmcd(r *request) string {
	var pairs []string
	add := func(key, value string) { pairs = append(pairs, key+"="+value) }
	number := func(key string, value, unit float64) {
		add(key, strconv.FormatFloat(math.Round(value/unit)*unit, 'f', 0, 64))
	}
	isSegment := r.kind == ofSegment
	if isSegment {
		number("bl", float64(max(r.track.ahead(), 0).Milliseconds()), 100)
	}
	bitrateKbps, topKbps := v.bitrates()
	isVideo := r.track == nil || !r.track.isAudio
	if isSegment && isVideo && bitrateKbps > 0 {
		number("br", bitrateKbps, 1)
	}
	if rebufferings := v.player.Rebufferings; isSegment && rebufferings > v.reportedRebufferings {
		v.reportedRebufferings = rebufferings
		pairs = append(pairs, "bs")
	}
	if isSegment {
		number("d", float64(r.piece.Duration.Milliseconds()), 1)
	}
	if v.rate.fast.weight > 0 {
		number("mtp", v.rate.bps()/1000, 100)
	}
	add("ot", v.objectType(r))
	add("sf", map[bool]string{false: "h", true: "d"}[v.presentation != nil])
	add("sid", `"`+v.sessionID+`"`)
	if r.track != nil && r.track.list != nil {
		add("st", map[bool]string{false: "l", true: "v"}[r.track.list.HasEnded])
	}
	if v.player.StartedAt == 0 || v.player.RebufferingFor(v.now) > 0 {
		pairs = append(pairs, "su")
	}
	if isSegment && isVideo && topKbps > 0 {
		number("tb", topKbps, 1)
	}
	return "CMCD=" + url.QueryEscape(strings.Join(pairs, ","))
}

// bitrates are those of the variant and of the best one, 0 if unknown.
func (v *Viewer) bitrates() (currentKbps, topKbps float64) {
	if v.master == nil || v.variant < 0 {
		return 0, 0
	}
	for i := range v.master.Variants {
		topKbps = max(topKbps, float64(v.master.Variants[i].BitrateBps)/1000)
	}
	return float64(v.master.Variants[v.variant].BitrateBps) / 1000, topKbps
}

// objectType is the key ot.
func (v *Viewer) objectType(r *request) string {
	switch {
	case r.kind == ofPlaylist:
		return "m"
	case r.kind == ofInit:
		return "i"
	case r.kind == ofKey:
		return "k"
	case r.track.isAudio:
		return "a"
	case len(v.tracks) > 1:
		return "v"
	}
	return "av"
}
