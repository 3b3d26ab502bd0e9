package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

// TestAgentExitsAfterItsEngineDied simulates an engine that dies: all pipes break and no console connects.
func TestAgentExitsAfterItsEngineDied(t *testing.T) {
	agent := exec.Command(binary, "audience", "--idle-timeout", "300ms", "--exit-when-idle")
	input, err := agent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	errorOutput, theirs, err := os.Pipe()
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
	var listening protocol.AgentListening
	if err := json.Unmarshal(line, &listening); err != nil || listening.Type != "listening" || listening.PID != agent.Process.Pid || listening.Address == "" {
		t.Errorf("%s: %v", line, err)
	}
	_, _, _ = input.Close(), output.Close(), errorOutput.Close()
	ended := make(chan error, 1)
	go func() { ended <- agent.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the agent exited with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("the agent does not exit")
		_ = agent.Process.Kill()
		<-ended
	}
}
