package lab

import (
	"errors"
	"fmt"
	"strconv"

	"fullhouse/agent/internal/control"
	"fullhouse/agent/internal/lab/recorder"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
)

// maxRecordings bounds the origins that record at the same time.
const maxRecordings = 64

// record opens an origin that records its viewers.
func (l *Lab) record(params protocol.LabRecordParams) (protocol.LabRecordResult, error) {
	sample, err := media.Load(l.config.Samples, params.Sample)
	if err != nil {
		return protocol.LabRecordResult{}, control.Errorf("no-sample", "Loading the sample %q failed: %v.", params.Sample, err)
	}
	if sample.Codec != rtppayload.H264 || !sample.HasAudio() {
		return protocol.LabRecordResult{}, control.BadRequest("Viewers are recorded with H.264 and Opus; %q has other media.", params.Sample)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	switch {
	case l.closed:
		return protocol.LabRecordResult{}, control.BadRequest("The lab is closing.")
	case len(l.recordings) >= maxRecordings:
		return protocol.LabRecordResult{}, control.BadRequest("%d recordings are open; close one first.", maxRecordings)
	}
	origin, err := recorder.Open(sample, recorder.Conditions{LabRecordParams: params})
	if err != nil {
		return protocol.LabRecordResult{}, fmt.Errorf("opening an origin failed: %w", err)
	}
	l.lastRecording++
	id := strconv.Itoa(l.lastRecording)
	l.recordings[id] = origin
	return protocol.LabRecordResult{Record: id, WHEPURL: origin.URL()}, nil
}

// recorded returns what the viewers of such an origin have sent, and closes it if asked to.
func (l *Lab) recorded(params protocol.LabRecordedParams) (protocol.LabRecordedResult, error) {
	l.mutex.Lock()
	origin := l.recordings[params.Record]
	if params.Close {
		delete(l.recordings, params.Record)
	}
	l.mutex.Unlock()
	if origin == nil {
		return protocol.LabRecordedResult{}, control.Errorf("no-record", "There is no recording %q.", params.Record)
	}
	result := protocol.LabRecordedResult{Viewers: origin.Viewers()}
	if params.Close {
		return result, origin.Close()
	}
	return result, nil
}

// closeRecordings is for the end of the lab.
func (l *Lab) closeRecordings() error {
	l.mutex.Lock()
	open := l.recordings
	l.recordings = nil
	l.mutex.Unlock()
	var problems []error
	for _, origin := range open {
		problems = append(problems, origin.Close())
	}
	return errors.Join(problems...)
}
