package ffmpeg

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"fullhouse/agent/internal/childprocess"
)

const (
	// maxLine bounds a line of ffmpeg; the rest of a longer one is dropped.
	maxLine = 2 << 10
	// endTimeout is how long a process may take to end its session at the server.
	endTimeout = 2 * time.Second
)

// Handler receives the lines of a process, without their ends, each valid only during the call. Output and Log are
// called by one goroutine each.
type Handler interface {
	// Output gets a line of what ffmpeg writes to its standard output.
	Output(line []byte)
	// Log gets a message of ffmpeg.
	Log(line []byte)
	// Ended is called once, after the last line.
	Ended()
}

// Process is a running ffmpeg.
type Process struct {
	// Input is its standard input, nil unless requested. Closing it makes ffmpeg end its session at the server.
	Input   io.WriteCloser
	command *exec.Cmd
	done    chan struct{}
	err     error // valid once done
}

// common are the arguments of all processes: messages with their level, no prompt, no progress line.
var common = []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "level+verbose"}

// Start runs ffmpeg with arguments, and with a standard input if it has one.
func Start(path string, arguments []string, hasInput bool, handler Handler) (*Process, error) {
	return start(path, arguments, func(p *Process) (err error) {
		if hasInput {
			p.Input, err = p.command.StdinPipe()
		}
		return err
	}, handler)
}

// StartSource runs ffmpeg with a source as its only input, and with the arguments about what it does with it.
func StartSource(path string, source Source, arguments []string, handler Handler) (*Process, error) {
	return start(path, append(source.arguments(), arguments...), func(p *Process) error {
		p.command.Stdin = strings.NewReader(source.script())
		return nil
	}, handler)
}

func start(path string, arguments []string, setInput func(*Process) error, handler Handler) (*Process, error) {
	command := childprocess.Command(path, append(append([]string(nil), common...), arguments...)...)
	command.SysProcAttr = attributes()
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	log, err := command.StderrPipe()
	if err != nil {
		return nil, errors.Join(err, output.Close())
	}
	p := &Process{command: command, done: make(chan struct{})}
	if err := setInput(p); err != nil {
		return nil, errors.Join(err, output.Close(), log.Close())
	}
	started := make(chan error, 1)
	go p.run(handler, output, log, started)
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// run starts the process and waits for its end, all on one thread: on Linux a child is ended with the thread that started
// it.
func (p *Process) run(handler Handler, output, log io.Reader, started chan<- error) {
	lockThread()
	defer unlockThread()
	err := p.command.Start()
	started <- err
	if err != nil {
		return
	}
	var reading sync.WaitGroup
	reading.Go(func() { readLines(output, handler.Output) })
	reading.Go(func() { readLines(log, handler.Log) })
	reading.Wait()
	p.err = withoutOutput(p.command.Wait())
	handler.Ended()
	close(p.done)
}

// readLines passes on the lines of a stream until it ends.
func readLines(from io.Reader, line func([]byte)) {
	reader := bufio.NewReaderSize(from, maxLine)
	isRest := false
	for {
		piece, err := reader.ReadSlice('\n')
		if !isRest && len(piece) > 0 {
			line(trimEnd(piece))
		}
		isRest = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !isRest {
			return
		}
	}
}

func trimEnd(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err is how the process ended; nil for success. It must be called after Done only.
func (p *Process) Err() error { return p.err }

// Stop ends the process and waits for it: it closes its session at the server, unless forced or too slow.
func (p *Process) Stop(ctx context.Context, force bool) {
	hasInput := p.Input != nil
	if hasInput {
		_ = p.Input.Close() // may have been closed before
	}
	if !force && (hasInput || p.interrupt()) {
		timer := time.NewTimer(endTimeout)
		defer timer.Stop()
		select {
		case <-p.done:
			return
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	p.kill()
	<-p.done
}
