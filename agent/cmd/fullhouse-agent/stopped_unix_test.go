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

	"fullhouse/agent/internal/protocol"
)

// TestResumedAgentDoesNotExit stops a real lab for longer than --idle-timeout while its console keeps calling, resumes
// it, and then lets the console die.
func TestResumedAgentDoesNotExit(t *testing.T) {
	const idleTimeout = 1500 * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	agent := exec.CommandContext(ctx, binary, "lab", "--idle-timeout", idleTimeout.String(), "--exit-when-idle")
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
	var listening protocol.AgentListening
	if err := json.Unmarshal(line, &listening); err != nil {
		t.Fatal(err)
	}
	console, _, err := websocket.Dial(ctx, "ws://"+listening.Address+"/v1", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		t.Fatal(err)
	}
	defer console.CloseNow()
	lastLogLine := make(chan string, 1)
	go func() { // all that the agent sends, to its end
		last := ""
		for {
			var record struct {
				Event *protocol.AgentEvent `json:"event"`
			}
			if wsjson.Read(ctx, console, &record) != nil {
				lastLogLine <- last
				return
			}
			if record.Event != nil {
				last = string(record.Event.Name)
			}
		}
	}()
	call := func(id int64, name, params string) {
		t.Helper()
		if err := wsjson.Write(ctx, console,
			protocol.Request{Type: "request", ID: id, Call: name, Params: json.RawMessage(params)}); err != nil {
			t.Fatalf("the agent has exited: %v", err)
		}
	}
	call(1, "hello", `{"protocol":3,"client":{"name":"test","version":"0"}}`)
	const every = 500 * time.Millisecond
	stopAt, resumeAt, end := 2, 2+int(2*idleTimeout/every), 2+int(4*idleTimeout/every)
	for i := range end {
		switch i {
		case stopAt:
			if err := agent.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		case resumeAt:
			if err := agent.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
		}
		call(int64(i)+2, "ping", "{}")
		time.Sleep(every)
	}
	select {
	case words := <-lastLogLine:
		t.Fatalf("it exited although its console kept calling; its last event was %q", words)
	default:
	}
	// Now the console is silent; that is still noticed.
	if words := <-lastLogLine; words != "unattended" {
		t.Errorf("its last event was %q", words)
	}
	if err := agent.Wait(); err != nil {
		t.Error(err)
	}
}
