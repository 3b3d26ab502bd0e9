package livekit

import (
	"context"
	"errors"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
)

// stage is that of a failure now.
func (r *room) stage() failure.Stage {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.step == entered {
		return failure.Media
	}
	return failure.Signalling
}

// end reports to the viewer that the server ended its session.
func (r *room) end(f *failure.Failure) {
	r.mutex.Lock()
	disconnecting := r.disconnecting
	if !disconnecting {
		r.fail(f)
	}
	isIn := r.step == entered
	r.mutex.Unlock()
	if !disconnecting && isIn {
		r.handler.OnClosed(f)
	}
}

// fail keeps the first problem. The caller holds the mutex.
func (r *room) fail(f *failure.Failure) {
	if r.problem != nil {
		return
	}
	r.problem = f
	if r.step != entered {
		close(r.settled)
	}
}

// Disconnect sends a leave request and waits until the server has closed the connection.
func (r *room) Disconnect(ctx context.Context, force bool) error {
	r.mutex.Lock()
	connection := r.connection
	r.disconnecting = true
	if r.ping != nil {
		r.ping.Stop()
	}
	r.mutex.Unlock()
	if connection == nil {
		return nil
	}
	var err error
	if !force {
		err = r.sendLeave(ctx, connection)
	}
	_ = connection.CloseNow() // it may be closed already
	<-r.left
	return err
}

func (r *room) sendLeave(ctx context.Context, connection *websocket.Conn) error {
	// If it can't be sent, the server closed first, and the reader is about to notice.
	_ = connection.Write(ctx, websocket.MessageBinary, leaveRequest())
	select {
	case <-r.left:
		return nil
	case <-ctx.Done():
		return errors.New("the server did not close the signalling connection")
	}
}
