//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"fullhouse/agent/internal/link"
)

// TestAnAgentThatWasStoppedDoesNotLeaveWhenItGoesOn stops a real lab for longer than its patience while its console keeps calling,
// and then lets the console die.
func TestAnAgentThatWasStoppedDoesNotLeaveWhenItGoesOn(t *testing.T) {
	const alone = 1500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	agent := exec.CommandContext(ctx, binary, "lab", "--alone", alone.String(), "--exit-when-alone")
	input, err := agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	const token = "a-token-of-some-length"
	if _, err := io.WriteString(input, token+"\n"); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var listening link.Listening
	if err := json.Unmarshal(line, &listening); err != nil {
		t.Fatal(err)
	}
	console, _, err := websocket.Dial(ctx, "ws://"+listening.Address+"/v1", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		t.Fatal(err)
	}
	defer console.CloseNow()
	lastWords := make(chan string, 1)
	go func() { // all that the agent tells, to its end
		last := ""
		for {
			var record struct {
				Event *link.Event `json:"event"`
			}
			if wsjson.Read(ctx, console, &record) != nil {
				lastWords <- last
				return
			}
			if record.Event != nil {
				last = record.Event.Name
			}
		}
	}()
	call := func(id int64, name, params string) {
		t.Helper()
		if err := wsjson.Write(ctx, console, link.Request{Type: "request", ID: id, Call: name, Params: json.RawMessage(params)}); err != nil {
			t.Fatalf("the agent is gone: %v", err)
		}
	}
	call(1, "hello", `{"protocol":1,"client":{"name":"test","version":"0"}}`)
	const every = 500 * time.Millisecond
	stopAt, goOnAt, end := 2, 2+int(2*alone/every), 2+int(4*alone/every)
	for i := range end {
		switch i {
		case stopAt:
			if err := agent.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		case goOnAt:
			if err := agent.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
		}
		call(int64(i)+2, "ping", "{}")
		time.Sleep(every)
	}
	select {
	case words := <-lastWords:
		t.Fatalf("it ended although its console called all along; its last event was %q", words)
	default:
	}
	// Now the console is silent, and that is still noticed.
	if words := <-lastWords; words != "left-alone" {
		t.Errorf("its last event was %q", words)
	}
	if err := agent.Wait(); err != nil {
		t.Error(err)
	}
}
