package ffmpeg

import (
	"regexp"
	"strconv"
	"strings"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/protocol"
)

// status is that of a refused RTSP request: "method DESCRIBE failed: 404 Not Found".
var status = regexp.MustCompile(`(?:failed|returned|error):? (\d{3})\b`)

// hints are what to do about a status of RTSP (RFC 2326, 7.1.1).
var hints = map[string]string{
	"400": "the server may not allow it, have reached its limit of viewers, or have another publisher of this stream: see its log",
	"401": "the server requires a user and a password: write rtsp://USER:PASSWORD@HOST/STREAM",
	"403": "the server forbids it, e.g. because of a token or the address of the tester",
	"404": "the stream may not be published, or has another name",
	"405": "the server may not publish or play streams at that address",
	"454": "the session ended on the server: see its log",
	"453": "the server has too little bandwidth left",
	"461": "the server supports neither RTP over TCP nor over UDP as requested",
	"503": "the server is overloaded, or its limit of sessions is reached",
}

// Classify finds the stage and the cause of what ffmpeg reported, and what to do about it.
func Classify(words *Words, isConnected, isAccepted bool) (stage failure.Stage, cause protocol.Cause, hint string) {
	all := words.cause + "\n" + words.last
	has := func(text string) bool { return strings.Contains(all, text) }
	at := failure.TCP
	switch {
	case isAccepted:
		at = failure.FirstPacket
	case isConnected:
		at = failure.Signalling
	}
	switch refused := status.FindStringSubmatch(all); {
	case has("Failed to resolve hostname"):
		return failure.Name, protocol.CauseNotFound, ""
	case refused != nil:
		status, _ := strconv.Atoi(refused[1]) // three digits
		return failure.Signalling, protocol.RTSPCause(status), hints[refused[1]]
	case has("Connection refused"):
		return failure.TCP, protocol.CauseRefused, "see that the server is running and listens there"
	case has("No route to host"), has("Network is unreachable"):
		return failure.TCP, protocol.CauseUnreachable, ""
	case words.rejected != "":
		return failure.Signalling, protocol.CauseSRTRejected, "check the streamid (the stream's name and, if the server requires them, user and password), that it is published, and the passphrase"
	case has("Connection to srt:"):
		return failure.Signalling, protocol.CauseSRTTimeout, "the server may not listen for SRT there, or a firewall may drop UDP"
	case has("imed out"):
		return at, protocol.CauseTimeout, ""
	case has("dimensions not set"): // until the end of the analysis
		return failure.FirstFrame, protocol.CauseNoKeyframe, ""
	case has("matches no streams"):
		return failure.FirstPacket, protocol.CauseNoAudio, "the stream has no audio"
	case has("Protocol not found"), has("Unknown input format"), has("Unrecognized option"):
		return at, protocol.CauseFfmpeg, "the tester's ffmpeg is too old, or was built without this protocol"
	case has("Invalid data found"):
		if !isAccepted {
			at = failure.Signalling
		}
		return at, protocol.CauseNotMedia, "the server may speak another protocol there"
	}
	return at, protocol.CauseClosed, ""
}
