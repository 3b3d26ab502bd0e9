package wcs

import (
	"encoding/json"
	"errors"
	"strings"

	"fullhouse/agent/internal/protocol"
)

// message is one frame of the protocol: a name and a list. Clients send one element; of a server's list the first two
// matter, and no others are kept.
type message struct {
	name string
	data [2]json.RawMessage
}

func parse(text []byte) (message, error) {
	var frame struct {
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(text, &frame) != nil || frame.Message == "" {
		return message{}, errors.New("it has no name")
	}
	parsed := message{name: frame.Message}
	_ = json.Unmarshal(frame.Data, &parsed.data) // messages without a list have nothing for us
	return parsed, nil
}

// remoteSDP is the media session and the answer of setRemoteSDP.
func (m message) remoteSDP() (id, answer string) {
	if json.Unmarshal(m.data[0], &id) != nil || json.Unmarshal(m.data[1], &answer) != nil {
		return "", ""
	}
	return id, answer
}

// streamStatus is a stream's status with the server's own words.
type streamStatus struct {
	id, status, info string
}

// status is that of notifyStreamStatusEvent or fail; the latter names the stream by another field.
func (m message) status() streamStatus {
	var of struct {
		MediaSessionID string          `json:"mediaSessionId"`
		ID             string          `json:"id"`
		Status         string          `json:"status"`
		Info           json.RawMessage `json:"info"`
	}
	if json.Unmarshal(m.data[0], &of) != nil {
		return streamStatus{}
	}
	status := streamStatus{id: of.MediaSessionID, status: of.Status}
	if m.name == "fail" {
		status.id = of.ID
	}
	_ = json.Unmarshal(of.Info, &status.info) // anything else than a text says nothing to people
	return status
}

// isOver reports whether the stream is over after this status.
func (s streamStatus) isOver() bool {
	switch s.status {
	case "FAILED", "STOPPED", "UNPUBLISHED":
		return true
	}
	return false
}

func (s streamStatus) words() string {
	if words := strings.TrimRight(strings.TrimSpace(s.info), "."); words != "" {
		return words
	}
	return "status " + s.status
}

// cause groups the server's words; unknown ones are a rejection.
func (s streamStatus) cause() protocol.Cause {
	info := strings.ToLower(s.info)
	switch {
	case strings.Contains(info, "stream not found"), strings.Contains(info, "publish stream is not ready"):
		return protocol.CauseNotFound
	case s.status != "FAILED" && (strings.Contains(info, "publisher stop") || strings.Contains(info, "distributor stopped")):
		return protocol.CauseUnpublished
	}
	return protocol.CauseRejected
}

// request is a message with its one element.
func request(name string, argument any) []byte {
	data, _ := json.Marshal(map[string]any{"message": name, "data": []any{argument}}) // of strings and numbers only
	return data
}

// connectionRequest is what the vendor's client sends about itself first; the versions are those of the protocol.
func connectionRequest() []byte {
	return request("connection", map[string]any{"appKey": "defaultApp", "mediaProviders": []string{"WebRTC"}, "clientVersion": "2.0",
		"clientOSVersion": "fullhouse-agent", "clientBrowserVersion": "fullhouse-agent", "msePacketizationVersion": 2, "custom": map[string]any{}})
}

func pongRequest() []byte { return request("pong", nil) }

// withoutCandidates is an offer as the vendor's client sends it: the server learns the address from the checks.
func withoutCandidates(offer string) string {
	var b strings.Builder
	for line := range strings.Lines(offer) {
		switch text := strings.TrimRight(line, "\r\n"); {
		case strings.HasPrefix(text, "a=candidate:"), text == "a=end-of-candidates":
			continue
		case strings.HasPrefix(text, "c=IN "):
			line = "c=IN IP4 0.0.0.0\r\n"
		case strings.HasPrefix(text, "m="):
			if fields := strings.SplitN(text, " ", 3); len(fields) == 3 {
				line = fields[0] + " 9 " + fields[2] + "\r\n"
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// streamRequest plays or stops a stream. A size or a quality would request transcoding, so none is sent.
func streamRequest(name, id, stream, offer string) []byte {
	of := map[string]any{"mediaSessionId": id, "name": stream, "published": false, "hasVideo": offer == "" || strings.Contains(offer, "\nm=video"), "hasAudio": true, "status": "PENDING",
		"record": false}
	if offer != "" {
		of["mediaProvider"], of["sdp"], of["constraints"], of["cvoExtension"] = "WebRTC", withoutCandidates(offer), map[string]any{}, true
		for _, key := range []string{"width", "height", "bitrate", "minBitrate", "maxBitrate", "quality"} {
			of[key] = 0
		}
	} else {
		of["status"] = "PLAYING"
	}
	return request(name, of)
}
