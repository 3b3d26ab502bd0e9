package livekit

import (
	"context"
	"errors"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/failure"
)

// stage is that of a failure at this moment.
func (r *room) stage() failure.Stage {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.step == entered {
		return failure.Media
	}
	return failure.Signalling
}

// end tells the viewer that the server ended its stay.
func (r *room) end(f *failure.Failure) {
	r.mutex.Lock()
	leaving := r.leaving
	if !leaving {
		r.fail(f)
	}
	isIn := r.step == entered
	r.mutex.Unlock()
	if !leaving && isIn {
		r.guest.ShownOut(f)
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

// Leave tells the server and waits until it has closed the connection.
func (r *room) Leave(ctx context.Context, force bool) error {
	r.mutex.Lock()
	connection := r.connection
	r.leaving = true
	if r.ping != nil {
		r.ping.Stop()
	}
	r.mutex.Unlock()
	if connection == nil {
		return nil
	}
	var err error
	if !force {
		err = r.goodbye(ctx, connection)
	}
	_ = connection.CloseNow() // it may be closed already
	<-r.left
	return err
}

func (r *room) goodbye(ctx context.Context, connection *websocket.Conn) error {
	// Where it can't be sent, the server went first, and the reader is about to notice.
	_ = connection.Write(ctx, websocket.MessageBinary, leaveRequest())
	select {
	case <-r.left:
		return nil
	case <-ctx.Done():
		return errors.New("the server did not close the signalling of a viewer that left")
	}
}
