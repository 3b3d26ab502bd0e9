package daemon

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
)

// maxLogBytes bounds agent.log; the older half is dropped when it is full.
const maxLogBytes = 256 << 10

// boundedLog is a log file that never grows beyond its bound.
type boundedLog struct {
	mutex   sync.Mutex
	file    *os.File
	size    int64
	maximum int64
}

func openLog(path string, maximum int64) (*boundedLog, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close() // the first error is the one to report
		return nil, err
	}
	return &boundedLog{file: file, size: info.Size(), maximum: maximum}, nil
}

func (l *boundedLog) Write(line []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.size+int64(len(line)) > l.maximum && l.size > 0 {
		if err := l.halve(); err != nil {
			return 0, err
		}
	}
	written, err := l.file.Write(line)
	l.size += int64(written)
	return written, err
}

// halve keeps the newer half, from the start of a line.
func (l *boundedLog) halve() error {
	end := make([]byte, min(l.maximum/2, l.size))
	read, err := l.file.ReadAt(end, l.size-int64(len(end)))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	end = end[:read]
	if at := bytes.IndexByte(end, '\n'); at >= 0 {
		end = end[at+1:]
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	written, err := l.file.Write(end)
	l.size = int64(written)
	return err
}

// lastLine is the last non-empty line of a log; empty for none.
func lastLine(path string) string {
	const maxTail = 4096
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return ""
	}
	tail := make([]byte, min(maxTail, info.Size()))
	read, err := file.ReadAt(tail, info.Size()-int64(len(tail)))
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(tail[:read])), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
