package play

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"syscall"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/harvest"
	"fullhouse/agent/internal/rtmp"
)

const (
	controlChunks = 2
	commandChunks = 3
	playChunks    = 8
	// mostControls a second is a hundred times what servers say; each costs more than a message with media.
	mostControls = 1000
)

// Bytes takes what arrived.
func (v *Viewer) Bytes(data []byte, at int64) bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.leaving || v.failure != nil {
		return false
	}
	v.scan(data, at)
	v.settle()
	return v.failure == nil
}

// scan counts what arrived, and answers it. The caller holds the mutex.
func (v *Viewer) scan(data []byte, at int64) {
	v.now = max(v.now, at) // the kernel's time of what waited is before that of the read that came first
	err := v.scanner.Write(data)
	if err == nil {
		err = errors.Join(v.pong(), v.acknowledge())
	}
	var unsent *sendError
	switch {
	case errors.Is(err, harvest.ErrFull):
		v.fail(failure.New(v.at(), "stuck", "%s wants answers, but takes none of them.", v.crowd.Address.Host))
	case errors.As(err, &unsent):
		v.fail(failure.New(v.at(), "closed", "The connection to %s broke when it was to be answered: %v.", v.crowd.Address.Host, unsent.because))
	case err != nil:
		v.fail(failure.New(v.at(), "not-rtmp", "%s sent what is no RTMP: %v.", v.crowd.Address.Host, err))
	}
}

// Ended tells that the server ended the connection.
func (v *Viewer) Ended(err error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	host := v.crowd.Address.Host
	switch {
	case v.isUnpublished && v.firstMediaAt != 0:
		v.fail(failure.New(failure.Media, "unpublished", "%s told that the stream has ended and closed the connection, %s after the first media.", host, failure.Since(v.firstMediaAt)))
	case errors.Is(err, io.EOF):
		v.fail(failure.New(v.at(), "closed", "%s closed the connection %s after it took the wish to play.", host, failure.Since(v.playingAt)))
	default:
		v.fail(failure.New(v.at(), "closed", "The connection to %s broke %s after it took the wish to play: %v.", host, failure.Since(v.playingAt), plain(err)))
	}
}

// plain leaves out the addresses that net puts around the system's word.
func plain(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

// sink keeps the scanner's calls out of the viewer's own methods. They come with the mutex held.
type sink Viewer

// Media counts a message.
func (s *sink) Media(kind byte, _, _ uint32, head []byte) {
	v := (*Viewer)(s)
	switch kind {
	case rtmp.TypeVideo:
		p := inspectVideo(head)
		if p.codec != "" {
			v.codec = p.codec
		}
		if !p.isFrame {
			return
		}
		v.videoMessages++
		v.frames.Whole(p.isKeyframe, v.now)
	case rtmp.TypeAudio:
		if !isSound(head) {
			return
		}
		v.audioMessages++
	default:
		return
	}
	v.lastMediaAt = v.now
	if v.firstMediaAt == 0 {
		v.firstMediaAt = v.now
	}
}

// Control does what the server says.
func (s *sink) Control(kind byte, payload []byte) error {
	v := (*Viewer)(s)
	if v.controls++; v.controls > mostControls {
		return fmt.Errorf("more than %d control messages in a second", mostControls)
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
	case rtmp.EventStreamEOF: // a publisher may come back, and some players wait for it
		v.isUnpublished = true
	case rtmp.EventStreamBegin:
		v.isUnpublished = false
	}
}

// pong answers the latest ping of what was scanned, so that a flood of them is answered once.
func (v *Viewer) pong() error {
	if !v.isPinged {
		return nil
	}
	v.isPinged = false
	return v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeUserControl, Payload: append([]byte{0, rtmp.EventPingResponse}, v.ping[:]...)})
}

// acknowledge tells what has arrived at every half of the window, so that the server never waits for it.
func (v *Viewer) acknowledge() error {
	if v.window == 0 || v.scanner.Received-v.acknowledged < uint64(v.window/2) {
		return nil
	}
	v.acknowledged = v.scanner.Received
	return v.send(controlChunks, rtmp.Message{Kind: rtmp.TypeAcknowledgement, Payload: binary.BigEndian.AppendUint32(nil, uint32(v.acknowledged))})
}

// sendError is one of sending, not of what was received.
type sendError struct{ because error }

func (e *sendError) Error() string { return e.because.Error() }
func (e *sendError) Unwrap() error { return e.because }

// send sends a message by whatever holds the connection. The caller holds the mutex.
func (v *Viewer) send(chunkStream byte, m rtmp.Message) error {
	data := rtmp.AppendChunks(nil, chunkStream, m, rtmp.FirstChunkSize)
	var err error
	if v.stream != nil {
		err = v.stream.Send(data)
	} else {
		_, err = v.connection.Write(data)
	}
	if err != nil {
		return &sendError{plain(err)}
	}
	return nil
}

func deleteStream(number uint32) []byte {
	return rtmp.AppendChunks(nil, commandChunks, rtmp.Message{Kind: rtmp.TypeCommand,
		Payload: rtmp.AppendAMF(nil, "deleteStream", 0.0, nil, float64(number))}, rtmp.FirstChunkSize)
}
