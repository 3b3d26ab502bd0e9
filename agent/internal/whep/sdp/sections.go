package sdp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pion/sdp/v3"

	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
)

// Section is one media section of a participant's offer, of video unless it is of audio.
type Section struct {
	Audio bool
	// Send is the stream that the participant sends; nil for a receive-only section.
	Send *SendStream
}

// SendStream is a stream that a participant sends.
type SendStream struct {
	Codec rtppayload.Codec // of video
	SSRC  uint32
	// Track names the track; signalling announces it by this name.
	Track string
	// Layers are the RTP stream ids of simulcast (RFC 8853), the smallest layer first; none for one stream.
	Layers []string
}

// sentFormats are the formats in which each codec of video is sent: H.264 is constrained baseline in packetization
// mode 1, which all servers accept. A packet-counting server accepts any profile in it.
var sentFormats = map[rtppayload.Codec]uint8{rtppayload.H264: 108, rtppayload.H265: 122, rtppayload.VP8: 96, rtppayload.VP9: 98, rtppayload.AV1: 45}

// layerNames are the RTP stream ids of the layers of simulcast from the smallest, those of LiveKit, which knows no
// others.
var layerNames = [protocol.MaxLayers]string{"q", "h", "f"}

// LayerNames are those of so many layers; none for a single stream.
func LayerNames(count int) []string {
	if count < 2 {
		return nil
	}
	return layerNames[:count]
}

// SentPayloadType is the payload type of what a participant sends.
func SentPayloadType(audio bool, codec rtppayload.Codec) uint8 {
	if audio {
		return opusPayloadType
	}
	return sentFormats[codec]
}

// Format is the codec of a video payload type of an offer, and whether it is that of its retransmissions.
func Format(payloadType uint8) (codec rtppayload.Codec, isRepair bool) {
	for _, one := range videoFormats {
		if one.payloadType == int(payloadType) || one.rtx == int(payloadType) {
			return one.codec, one.rtx == int(payloadType)
		}
	}
	return rtppayload.None, false
}

// IsFEC reports whether a payload type is that of an offer's forward error correction.
func IsFEC(payloadType uint8) bool { return payloadType == fecPayloadType }

func mids(count int) string {
	var b strings.Builder
	for mid := range count {
		fmt.Fprintf(&b, " %d", mid)
	}
	return b.String()
}

// sendOnly writes a section that sends one stream. Lost packets are sent again on the stream itself.
func (o Offer) sendOnly(line func(string, ...any), mid int, section Section) {
	kind, payloadType := "video", SentPayloadType(section.Audio, section.Send.Codec)
	if section.Audio {
		kind = "audio"
	}
	extensions := []extension{mediaID, captureTime}
	if len(section.Send.Layers) > 0 {
		extensions = append(extensions, streamID)
	}
	o.media(line, mid, kind, fmt.Sprint(payloadType), extensions, "sendonly")
	line("a=msid:fullhouse %s", section.Send.Track)
	if section.Audio {
		line("a=rtpmap:%d opus/48000/2", payloadType)
		line("a=fmtp:%d minptime=10;useinbandfec=1", payloadType)
	} else {
		format := videoFormats[slices.IndexFunc(videoFormats, func(f format) bool { return f.payloadType == int(payloadType) })]
		line("a=rtpmap:%d %s/90000", payloadType, format.codec)
		for _, feedback := range []string{"ccm fir", "nack", "nack pli"} {
			line("a=rtcp-fb:%d %s", payloadType, feedback)
		}
		if format.parameters != "" {
			line("a=fmtp:%d %s", payloadType, format.parameters)
		}
	}
	for _, layer := range section.Send.Layers {
		line("a=rid:%s send", layer)
	}
	if len(section.Send.Layers) > 0 {
		line("a=simulcast:send %s", strings.Join(section.Send.Layers, ";"))
	}
	// With simulcast too: a server without it receives the largest layer by its SSRC.
	line("a=ssrc:%d cname:fullhouse", section.Send.SSRC)
	line("a=ssrc:%d msid:fullhouse %s", section.Send.SSRC, section.Send.Track)
}

// maxSources bounds the streams that are read of an answer: two for each of the tracks of a large room.
const maxSources = 2000

// Source is a stream that the server announced in its answer.
type Source struct {
	SSRC uint32
	// Track is the server's name of its track.
	Track string
	// Repairs is the stream whose packets this one retransmits; 0 for media.
	Repairs uint32
}

// maxRoomAnswer and maxRoomLines are the limits of an answer with many sections.
const (
	maxRoomAnswer = 4 << 20
	maxRoomLines  = 100_000
)

// Sources reads the streams that an answer announces.
func Sources(body string) []Source {
	var description sdp.SessionDescription
	if len(body) > maxRoomAnswer || strings.Count(body, "\n") > maxRoomLines || description.UnmarshalString(body) != nil {
		return nil
	}
	var sources []Source
	for _, media := range description.MediaDescriptions {
		var track string
		repairs := map[uint32]uint32{}
		for _, attribute := range media.Attributes {
			fields := strings.Fields(attribute.Value)
			switch {
			case attribute.Key == "msid" && len(fields) == 2:
				track = strings.Clone(fields[1])
			case attribute.Key == "ssrc-group" && len(fields) == 3 && fields[0] == "FID":
				repairs[number(fields[2])] = number(fields[1])
			}
		}
		for _, attribute := range media.Attributes {
			value, _, _ := strings.Cut(attribute.Value, " ")
			ssrc := number(value)
			if attribute.Key != "ssrc" || ssrc == 0 || len(sources) == maxSources || slices.ContainsFunc(sources, func(s Source) bool { return s.SSRC == ssrc }) {
				continue
			}
			sources = append(sources, Source{SSRC: ssrc, Track: track, Repairs: repairs[ssrc]})
		}
	}
	return sources
}

// Credentials are the ICE user fragment and password of an answer with many sections, which are bundled: the first ones.
func Credentials(body string) (ufrag, password string) {
	for line := range strings.Lines(body[:min(len(body), maxRoomAnswer)]) {
		line = strings.TrimSpace(line)
		if value, found := strings.CutPrefix(line, "a=ice-ufrag:"); found && ufrag == "" {
			ufrag = strings.Clone(value)
		}
		if value, found := strings.CutPrefix(line, "a=ice-pwd:"); found && password == "" {
			password = strings.Clone(value)
		}
		if ufrag != "" && password != "" {
			return ufrag, password
		}
	}
	return "", ""
}

func number(text string) uint32 {
	value, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(value)
}

// findLayers are the layers that an answer receives (RFC 8853 5.1): of alternatives the first, without paused ones.
func findLayers(media *sdp.MediaDescription) (layers []string) {
	if findExtension(media.Attributes, nil, streamID.uri) == 0 {
		return nil // packets could not say of which layer they are
	}
	for _, attribute := range media.Attributes {
		fields := strings.Fields(attribute.Value)
		for i := 1; i < len(fields) && attribute.Key == "simulcast"; i += 2 {
			if fields[i-1] != "recv" {
				continue
			}
			for _, alternatives := range strings.Split(fields[i], ";") {
				if layer, _, _ := strings.Cut(alternatives, ","); layer != "" && layer[0] != '~' {
					layers = append(layers, strings.Clone(layer))
				}
			}
		}
	}
	return layers
}
