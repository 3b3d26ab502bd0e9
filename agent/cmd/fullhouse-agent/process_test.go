package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"fullhouse/agent/internal/link"
)

// TestTheAgentEndsByItselfWhenItsEngineDied plays an engine that dies: all pipes break, and nobody calls.
func TestTheAgentEndsByItselfWhenItsEngineDied(t *testing.T) {
	agent := exec.Command(binary, "audience", "--alone", "300ms", "--exit-when-alone")
	input, err := agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	complaints, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	agent.Stdout, agent.Stderr = ours, theirs
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = ours.Close(), theirs.Close() // the agent has its own
	if _, err := io.WriteString(input, "a-token-of-some-length\n"); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var listening link.Listening
	if err := json.Unmarshal(line, &listening); err != nil || listening.Type != "listening" || listening.PID != agent.Process.Pid || listening.Address == "" {
		t.Errorf("%s: %v", line, err)
	}
	_, _, _ = input.Close(), output.Close(), complaints.Close()
	ended := make(chan error, 1)
	go func() { ended <- agent.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it does not end")
		_ = agent.Process.Kill()
		<-ended
	}
}
