package play

import (
	"encoding/binary"
	"errors"
	"fmt"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/flv"
	"fullhouse/agent/internal/protocol"
	"fullhouse/agent/internal/rtmp"
	"fullhouse/agent/internal/tcpmedia"
	"fullhouse/agent/internal/tcpreader"
)

const (
	controlChunks = 2
	commandChunks = 3
	playChunks    = 8
	// maxControls a second is a hundred times what servers send; each costs more than a media message.
	maxControls = 1000
)

// Bytes receives what arrived.
func (v *Viewer) Bytes(data []byte, at int64) bool {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	if v.Disconnecting || v.Failure != nil {
		return false
	}
	v.scan(data, at)
	v.Settle()
	return v.Failure == nil
}

// scan counts what arrived, and responds to it. The caller holds the mutex.
func (v *Viewer) scan(data []byte, at int64) {
	v.Now = max(v.Now, at) // the kernel's time of buffered data is before that of the first read
	v.Received += uint64(len(data))
	err := v.scanner.Write(data)
	if err == nil {
		err = errors.Join(v.pong(), v.acknowledge())
	}
	var unsent *sendError
	switch {
	case errors.Is(err, tcpreader.ErrFull):
		v.Fail(failure.New(v.At(), protocol.CauseStuck, "%s requests responses, but does not read them.", v.group.Address.Host))
	case errors.As(err, &unsent):
		v.Fail(failure.New(v.At(), protocol.CauseClosed, "The connection to %s failed while sending a response: %v.", v.group.Address.Host, unsent.because))
	case err != nil:
		v.Fail(failure.New(v.At(), protocol.CauseNotRTMP, "%s sent invalid RTMP: %v.", v.group.Address.Host, err))
	}
}

// Ended reports that the server ended the connection.
func (v *Viewer) Ended(err error) {
	v.Mutex.Lock()
	defer v.Mutex.Unlock()
	v.EndOf(err)
}

// sink separates the scanner's calls from the viewer's own methods. They are made with the mutex held.
type sink Viewer

// Media counts a message.
func (s *sink) Media(m flv.Message) {
	v := (*Viewer)(s)
	switch m.Kind {
	case rtmp.TypeVideo:
		v.CountFLVVideo(m)
	case rtmp.TypeAudio:
		v.CountFLVAudio(m.Head)
	}
}

// Control handles a control message of the server.
func (s *sink) Control(kind byte, payload []byte) error {
	v := (*Viewer)(s)
	if v.controls++; v.controls > maxControls {
		return fmt.Errorf("more than %d control messages in a second", maxControls)
	}
	switch kind {
	case rtmp.TypeWindowAckSize:
		if len(payload) >= 4 {
			v.window = binary.BigEndian.Uint32(payload)
		}
	case rtmp.TypeUserControl:
		v.event(payload)
	case rtmp.TypeCommand:
		if c, ok := rtmp.ReadCommand(payload); ok {
			v.command(c)
		}
	}
	return nil
}

func (v *Viewer) event(payload []byte) {
	if len(payload) < 6 {
		return
	}
	switch binary.BigEndian.Uint16(payload) {
	case rtmp.EventPingRequest:
		v.isPinged = true
		copy(v.ping[:], payload[2:])
	case rtmp.EventStreamEOF: // a publisher may reconnect, and some players wait for it
		v.IsUnpublished = true
	case rtmp.EventStreamBegin:
		v.IsUnpublished = false
	}
}

// pong responds to the latest ping of what was scanned, so that a flood of them gets one response.
func (v *Viewer) pong() error {
	if !v.isPinged {
		return nil
	}
	v.isPinged = false
	return v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeUserControl, Payload: append([]byte{0, rtmp.EventPingResponse}, v.ping[:]...)})
}

// acknowledge acknowledges what has arrived at every half of the window, so that the server never waits for it.
func (v *Viewer) acknowledge() error {
	if v.window == 0 || v.Received-v.acknowledged < uint64(v.window/2) {
		return nil
	}
	v.acknowledged = v.Received
	return v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeAcknowledgement, Payload: binary.BigEndian.AppendUint32(nil, uint32(v.acknowledged))})
}

// sendError is a failure to send, not of what was received.
type sendError struct{ because error }

func (e *sendError) Error() string { return e.because.Error() }
func (e *sendError) Unwrap() error { return e.because }

// send sends a message on whatever owns the connection. The caller holds the mutex.
func (v *Viewer) send(chunkStream byte, m rtmp.Message) error {
	data := rtmp.AppendChunks(nil, chunkStream, m, rtmp.FirstChunkSize)
	var err error
	if v.Stream != nil {
		err = v.Stream.Send(data)
	} else {
		_, err = v.Connection.Write(data)
	}
	if err != nil {
		return &sendError{tcpmedia.Plain(err)}
	}
	return nil
}

func deleteStream(number uint32) []byte {
	return rtmp.AppendChunks(nil, commandChunks, rtmp.Message{Kind: rtmp.TypeCommand,
		Payload: rtmp.AppendAMF(nil, "deleteStream", 0.0, nil, float64(number))}, rtmp.FirstChunkSize)
}
