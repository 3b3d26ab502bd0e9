package audience

import (
	"net/url"

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/rtmp/play"
	"fullhouse/agent/internal/signalling"
	"fullhouse/agent/internal/viewer"
	"fullhouse/agent/internal/whep"
)

// The protocols that viewers can play.
const (
	byWHEP = "whep"
	byRTMP = "rtmp" // rtmps too, by its address
)

var protocols = []string{byWHEP, byRTMP}

// checkAddress refuses what no viewer of the protocol could play.
func checkAddress(params StartParams) (*url.URL, error) {
	target, err := url.Parse(params.URL)
	switch params.Protocol {
	case byWHEP:
		if err != nil || target.Host == "" || target.Scheme != "http" && target.Scheme != "https" {
			return nil, link.BadRequest("%q is no WHEP address; it must look like http://HOST:PORT/PATH.", params.URL)
		}
		if _, known := whep.ParseRealism(params.Realism); !known {
			return nil, link.BadRequest("There is no realism %q; it is lean or full.", params.Realism)
		}
		if params.DecryptPercent != nil && !(*params.DecryptPercent >= 0 && *params.DecryptPercent <= 100) {
			return nil, link.BadRequest("decryptPercent is %v; it must be 0 to 100.", *params.DecryptPercent)
		}
	case byRTMP:
		// The address is not repeated: it may hold a stream key.
		if _, err := rtmp.ParseAddress(params.URL); err != nil {
			return nil, link.BadRequest("The address can't be played by RTMP: %v.", err)
		}
		if params.Realism != "" || params.DecryptPercent != nil {
			return nil, link.BadRequest("RTMP has no realism and nothing to decrypt: leave out realism and decryptPercent.")
		}
		if params.BearerToken != "" {
			return nil, link.BadRequest("RTMP has no bearer token; put what the server wants to see behind the stream's name, as in rtmp://HOST/APPLICATION/STREAM?key=….")
		}
	default:
		return nil, link.BadRequest("The protocol %q is not played by this agent; it plays whep and rtmp.", params.Protocol)
	}
	return target, nil
}

// crowd makes the viewers of a job by its protocol.
func (a *Audience) crowd(params StartParams, endpoint *url.URL) (viewer.Crowd, error) {
	if params.Protocol == byRTMP {
		address, err := rtmp.ParseAddress(params.URL)
		if err != nil {
			return nil, link.BadRequest("The address can't be played by RTMP: %v.", err)
		}
		return play.NewCrowd(play.Config{Address: address, StageTimeout: params.stageTimeout(), Signaller: signalling.NewSignaller(), Streams: a.streams}), nil
	}
	realism, _ := whep.ParseRealism(params.Realism) // checked with the address
	decryptPercent := whep.DefaultDecryptPercent
	if params.DecryptPercent != nil {
		decryptPercent = *params.DecryptPercent
	}
	return whep.NewCrowd(whep.Config{Endpoint: endpoint, BearerToken: params.BearerToken, StageTimeout: params.stageTimeout(),
		Signaller: signalling.NewSignaller(), Loop: a.loop, Certificate: a.certificate, Realism: realism, DecryptPercent: decryptPercent}), nil
}
