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
	case byRTMP:
		// The address is not repeated: it may hold a stream key.
		if _, err := rtmp.ParseAddress(params.URL); err != nil {
			return nil, link.BadRequest("The address can't be played by RTMP: %v.", err)
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
	return whep.NewCrowd(whep.Config{Endpoint: endpoint, BearerToken: params.BearerToken, StageTimeout: params.stageTimeout(),
		Signaller: signalling.NewSignaller(), Loop: a.loop, Certificate: a.certificate}), nil
}
