package audience

import (
	"fmt"
	"net"
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

// crowd makes the viewers of a job, or refuses what no viewer of its protocol could play; warnings are sentences.
func (a *Audience) crowd(params StartParams) (crowd viewer.Crowd, warnings []string, err error) {
	switch params.Protocol {
	case byWHEP:
		return a.whepCrowd(params)
	case byRTMP:
		crowd, err = a.rtmpCrowd(params)
		return crowd, nil, err
	}
	return nil, nil, link.BadRequest("The protocol %q is not played by this agent; it plays whep and rtmp.", params.Protocol)
}

func (a *Audience) whepCrowd(params StartParams) (viewer.Crowd, []string, error) {
	endpoint, err := url.Parse(params.URL)
	if err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https" {
		return nil, nil, link.BadRequest("%q is no WHEP address; it must look like http://HOST:PORT/PATH.", params.URL)
	}
	realism, known := whep.ParseRealism(params.Realism)
	if !known {
		return nil, nil, link.BadRequest("There is no realism %q; it is lean or full.", params.Realism)
	}
	decryptPercent := whep.DefaultDecryptPercent
	if params.DecryptPercent != nil {
		decryptPercent = *params.DecryptPercent
	}
	if !(decryptPercent >= 0 && decryptPercent <= 100) {
		return nil, nil, link.BadRequest("decryptPercent is %v; it must be 0 to 100.", decryptPercent)
	}
	var warnings []string
	if ip := net.ParseIP(endpoint.Hostname()); params.BearerToken != "" && endpoint.Scheme == "http" && (ip == nil || !ip.IsLoopback()) {
		warnings = append(warnings, fmt.Sprintf("The token goes to %s unencrypted, because the address is http.", endpoint.Host))
	}
	return whep.NewCrowd(whep.Config{Endpoint: endpoint, BearerToken: params.BearerToken, StageTimeout: params.stageTimeout(),
		Signaller: signalling.NewSignaller(), Loop: a.loop, Certificate: a.certificate, Realism: realism, DecryptPercent: decryptPercent}), warnings, nil
}

func (a *Audience) rtmpCrowd(params StartParams) (viewer.Crowd, error) {
	address, err := rtmp.ParseAddress(params.URL)
	switch {
	case err != nil: // the address is not repeated: it may hold a stream key
		return nil, link.BadRequest("The address can't be played by RTMP: %v.", err)
	case params.Realism != "" || params.DecryptPercent != nil:
		return nil, link.BadRequest("RTMP has no realism and nothing to decrypt: leave out realism and decryptPercent.")
	case params.BearerToken != "":
		return nil, link.BadRequest("RTMP has no bearer token; put what the server wants to see behind the stream's name, as in rtmp://HOST/APPLICATION/STREAM?key=….")
	}
	return play.NewCrowd(play.Config{Address: address, StageTimeout: params.stageTimeout(), Signaller: signalling.NewSignaller(), Streams: a.streams}), nil
}
