//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fullhouse/agent/internal/protocol"
)

// startedAgent is an agent as a container runs it: without standard input.
func startedAgent(t *testing.T, arguments ...string) (*exec.Cmd, protocol.AgentListening) {
	t.Helper()
	tokenFile := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(tokenFile, []byte(firstToken), 0o400); err != nil {
		t.Fatal(err)
	}
	agent := exec.Command(binary, append([]string{"audience", "--token-file", tokenFile}, arguments...)...)
	agent.Dir = "/"
	output, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = agent.Process.Kill() // it may have exited
		_ = agent.Wait()
	})
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var listening protocol.AgentListening
	if err := json.Unmarshal(line, &listening); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return agent, listening
}

func exitCode(t *testing.T, agent *exec.Cmd) int {
	t.Helper()
	exited := make(chan struct{})
	go func() { defer close(exited); _ = agent.Wait() }()
	select {
	case <-exited:
	case <-time.After(timeout):
		t.Fatal("the agent does not exit")
	}
	return agent.ProcessState.ExitCode()
}

func TestAContainersAgentIsProbedAndEndedBySignal(t *testing.T) {
	agent, listening := startedAgent(t)
	if !answers(listening.Address, firstToken) || answers(listening.Address, secondToken) {
		t.Error("the token of the file is not the one that is valid")
	}
	if s := agentCommand(t, binary, "", "probe", "--address", listening.Address); s.code != 0 || s.output+s.errors != "" {
		t.Errorf("%+v", s)
	}
	if err := agent.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, agent); code != 143 {
		t.Errorf("exit code %d: an evicted container has not completed its work", code)
	}
	refused(t, agentCommand(t, binary, "", "probe", "--address", listening.Address), "no agent listens", listening.Address)
}

// TestProbesAreNoConsole probes an agent for longer than it waits for a console.
func TestProbesAreNoConsole(t *testing.T) {
	agent, listening := startedAgent(t, "--idle-timeout", "300ms", "--exit-after", "1s")
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				_ = exec.Command(binary, "probe", "--address", listening.Address).Run() // fails once the agent has exited
			}
		}
	}()
	if code := exitCode(t, agent); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestProbeRefusesAnotherServer(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	address := strings.TrimPrefix(other.URL, "http://")
	refused(t, agentCommand(t, binary, "", "probe", "--address", address), "not an agent", "404")
}
