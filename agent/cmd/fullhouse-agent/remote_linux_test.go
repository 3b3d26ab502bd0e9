package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"fullhouse/agent/internal/daemon"
	"fullhouse/agent/internal/protocol"
)

const timeout = 30 * time.Second

// commandResult is the result of a command.
type commandResult struct {
	code           int
	output, errors string
}

// agentCommand runs the program as the engine does over SSH. Its standard streams are files: a pipe that the detached
// agent still held would only show as a hang.
func agentCommand(t *testing.T, program, token string, arguments ...string) commandResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	var output, errorOutput bytes.Buffer
	// Wait reads these to their end and hangs if the detached agent keeps them open.
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(token+"\n"), &output, &errorOutput
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return commandResult{command.ProcessState.ExitCode(), output.String(), errorOutput.String()}
}

const firstToken, secondToken = "the-first-token-0123", "the-second-token-0123"

func startIn(t *testing.T, dir string, more ...string) protocol.AgentListening {
	t.Helper()
	t.Cleanup(func() {
		if s := agentCommand(t, binary, "", "stop", "--state-dir", dir); s.code != 0 {
			t.Errorf("stop: %+v", s)
		}
	})
	return listeningOf(t, agentCommand(t, binary, firstToken, append([]string{"start", "audience", "--state-dir", dir}, more...)...))
}

func listeningOf(t *testing.T, s commandResult) protocol.AgentListening {
	t.Helper()
	var line protocol.AgentListening
	if err := json.Unmarshal([]byte(s.output), &line); s.code != 0 || err != nil || line.Type != "listening" || strings.Count(s.output, "\n") != 1 {
		t.Fatalf("%+v: %v", s, err)
	}
	return line
}

func statusOf(t *testing.T, dir string) protocol.Status {
	t.Helper()
	s := agentCommand(t, binary, "", "status", "--state-dir", dir)
	status := protocol.Status{}
	if err := json.Unmarshal([]byte(s.output), &status); s.code != 0 || err != nil || status.Type != "status" {
		t.Fatalf("%+v: %v", s, err)
	}
	return status
}

func refused(t *testing.T, s commandResult, words ...string) {
	t.Helper()
	if s.code != 2 || s.output != "" || strings.Count(s.errors, "\n") != 1 {
		t.Errorf("want one sentence and exit code 2, got: %+v", s)
	}
	for _, word := range words {
		if !strings.Contains(s.errors, word) {
			t.Errorf("%q does not contain %q", s.errors, word)
		}
	}
}

// answers reports whether a WebSocket can be opened with the token.
func answers(address, token string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws://"+address+"/v1", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err != nil {
		return false
	}
	_ = socket.CloseNow()
	return true
}

func within(t *testing.T, what string, fits func() bool) {
	t.Helper()
	for deadline := time.Now().Add(timeout); !fits(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timed out: %s", what)
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z") // a zombie has ended but was not reaped yet
}

func TestAnAgentIsStartedFoundAndStoppedCleanly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fullhouse")
	listening := startIn(t, dir)
	if listening.Running || listening.Role != "audience" || !answers(listening.Address, firstToken) {
		t.Errorf("%+v", listening)
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "agent.json"): 0o600, filepath.Join(dir, "agent.log"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	status := statusOf(t, dir)
	if !status.Alive || status.PID != listening.PID || status.Address != listening.Address || status.Token != firstToken ||
		status.Agent != version || status.Instance == "" || len(status.SHA256) != 64 || status.StartedMs == 0 {
		t.Errorf("%+v", status)
	}
	if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", listening.PID)); err != nil || bytes.Contains(line, []byte("token")) {
		t.Errorf("%q, %v", line, err)
	}
	if words, err := os.ReadFile(filepath.Join(dir, "agent.log")); err != nil || strings.Contains(string(words), firstToken) {
		t.Errorf("%q, %v", words, err)
	}
	if s := agentCommand(t, binary, "", "stop", "--state-dir", dir); s.code != 0 || s.output+s.errors != "" {
		t.Errorf("%+v", s)
	}
	if runs(listening.PID) || exists(dir) {
		t.Errorf("remains: process %v, folder %v", runs(listening.PID), exists(dir))
	}
	if status := statusOf(t, dir); status.Alive || status.PID != 0 {
		t.Errorf("%+v", status)
	}
}

// TestAgentOutlivesTheSessionThatStartedIt kills the whole process group of a shell, as the end of an SSH session may
// do.
func TestAgentOutlivesTheSessionThatStartedIt(t *testing.T) {
	dir := t.TempDir()
	shell := exec.Command("sh", "-c", `"$0" start audience --state-dir "$1"; sleep 600`, binary, dir)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Stdin = strings.NewReader(firstToken + "\n")
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agentCommand(t, binary, "", "stop", "--state-dir", dir) })
	within(t, "the agent is running", func() bool { return statusOf(t, dir).Alive })
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGKILL} {
		if err := syscall.Kill(-shell.Process.Pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
	_ = shell.Wait() // it was killed
	if status := statusOf(t, dir); !status.Alive || !answers(status.Address, firstToken) {
		t.Errorf("%+v", status)
	}
}

func TestASecondStartFindsTheFirst(t *testing.T) {
	dir := t.TempDir()
	first := startIn(t, dir)
	second := listeningOf(t, agentCommand(t, binary, secondToken, "start", "audience", "--state-dir", dir))
	if !second.Running || second.PID != first.PID || second.Address != first.Address {
		t.Errorf("%+v after %+v", second, first)
	}
	if status := statusOf(t, dir); status.Token != firstToken || answers(first.Address, secondToken) {
		t.Errorf("the token has changed: %+v", status)
	}
}

func TestSimultaneousStartsMakeOneAgent(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(func() { agentCommand(t, binary, "", "stop", "--state-dir", dir) })
	lines := make(chan commandResult)
	for range 4 {
		go func() { lines <- agentCommand(t, binary, firstToken, "start", "audience", "--state-dir", dir) }()
	}
	fresh, pids := 0, map[int]bool{}
	for range 4 {
		line := listeningOf(t, <-lines)
		pids[line.PID] = true
		if !line.Running {
			fresh++
		}
	}
	if fresh != 1 || len(pids) != 1 {
		t.Errorf("%d new agents, processes %v", fresh, pids)
	}
}

func TestAKilledAgentIsReportedAndReplaced(t *testing.T) {
	dir := t.TempDir()
	first := startIn(t, dir)
	if err := syscall.Kill(first.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	within(t, "it is reported as ended", func() bool { return !statusOf(t, dir).Alive })
	if status := statusOf(t, dir); status.PID != first.PID || !strings.Contains(status.LastLogLine, "listens at") {
		t.Errorf("%+v", status)
	}
	if next := listeningOf(t, agentCommand(t, binary, secondToken, "start", "audience", "--state-dir", dir)); next.Running || next.PID == first.PID || !answers(next.Address, secondToken) {
		t.Errorf("%+v", next)
	}
}

func TestStopEndsOnlyItsOwnAgent(t *testing.T) {
	dir := t.TempDir()
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = other.Process.Kill(), other.Wait() }() // it may have been killed already, which is the failure
	state := fmt.Sprintf(`{"pid":%d,"address":"127.0.0.1:1","token":"%s","instance":"x","protocol":3,"agent":"0.1.0"}`, other.Process.Pid, firstToken)
	if err := os.WriteFile(filepath.Join(dir, "agent.json"), []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := agentCommand(t, binary, "", "stop", "--state-dir", dir); s.code != 0 {
		t.Errorf("%+v", s)
	}
	if !runs(other.Process.Pid) || exists(dir) {
		t.Errorf("other process running: %v, folder exists: %v", runs(other.Process.Pid), exists(dir))
	}
}

func TestStopKillsAHangingAgent(t *testing.T) {
	dir := t.TempDir()
	listening := startIn(t, dir)
	if err := syscall.Kill(listening.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if s := agentCommand(t, binary, "", "stop", "--state-dir", dir); s.code != 0 {
		t.Errorf("%+v", s)
	}
	if runs(listening.PID) || exists(dir) {
		t.Errorf("remains: process %v, folder %v", runs(listening.PID), exists(dir))
	}
}

func TestStopFindsAnAgentWithoutItsFile(t *testing.T) {
	for _, spoil := range []func(string) error{os.Remove, func(path string) error { return os.WriteFile(path, []byte("{half"), 0o600) }} {
		dir := filepath.Join(t.TempDir(), "fullhouse")
		listening := startIn(t, dir)
		if err := spoil(filepath.Join(dir, "agent.json")); err != nil {
			t.Fatal(err)
		}
		if s := agentCommand(t, binary, "", "stop", "--state-dir", dir); s.code != 0 || runs(listening.PID) || exists(dir) {
			t.Errorf("%+v; runs: %v; folder: %v", s, runs(listening.PID), exists(dir))
		}
	}
}

func TestAnAgentWithoutCallsExitsCleanly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "fullhouse")
	listening := startIn(t, dir, "--idle-timeout", "200ms", "--exit-after", "400ms")
	within(t, "the agent exits", func() bool { return !runs(listening.PID) && !exists(dir) })
}

func TestStopKeepsUnrelatedFiles(t *testing.T) {
	dir := t.TempDir()
	startIn(t, dir)
	program := filepath.Join(dir, "fullhouse-agent")
	if err := os.WriteFile(program, []byte("unrelated"), 0o700); err != nil {
		t.Fatal(err)
	}
	agentCommand(t, binary, "", "stop", "--state-dir", dir)
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 || left[0].Name() != "fullhouse-agent" {
		t.Errorf("%v, %v", left, err)
	}
}

func TestAnUnusableStateDirectoryIsOneSentence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--state-dir", filepath.Join(file, "home")), file, "--state-dir")
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--state-dir", "/proc/fullhouse"), "/proc/fullhouse")

	open := filepath.Join(t.TempDir(), "open")
	if err := errors.Join(os.Mkdir(open, 0o700), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--state-dir", open), "0777", "--state-dir")

	// A log on a full disk: the first written line fails.
	full := filepath.Join(t.TempDir(), "full")
	if err := errors.Join(os.Mkdir(full, 0o700), os.Symlink("/dev/full", filepath.Join(full, "agent.log"))); err != nil {
		t.Fatal(err)
	}
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--state-dir", full), full, "disk", "full")
	if exists(filepath.Join(full, "agent.json")) {
		t.Error("a failed start left agent.json")
	}
}

// TestProgramThatCannotRunIsOneSentence starts a program without execute permission, as on a file system mounted with
// noexec.
func TestProgramThatCannotRunIsOneSentence(t *testing.T) {
	program := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "home")
	_, err := daemon.Start(daemon.StartConfig{Program: program, StateDir: dir, Token: firstToken, Version: version, Role: "audience"})
	if err == nil || !strings.Contains(err.Error(), program) || !strings.Contains(err.Error(), "executable") || exists(dir) {
		t.Errorf("%v; dir exists: %v", err, exists(dir))
	}
}

// TestOpenFilesLimitIsRaisedOrReported starts under a low soft limit, which is raised, and under a low hard one, which
// is reported.
func TestOpenFilesLimitIsRaisedOrReported(t *testing.T) {
	for limits, warned := range map[string]bool{"ulimit -S -n 128": false, "ulimit -n 1000": true} {
		dir := t.TempDir()
		t.Cleanup(func() { agentCommand(t, binary, "", "stop", "--state-dir", dir) })
		line := listeningOf(t, agentCommand(t, "sh", firstToken, "-c", limits+`; exec "$0" start audience --state-dir "$1"`, binary, dir))
		if got := len(line.Warnings) == 1 && strings.Contains(line.Warnings[0], "is 1000, enough for 744 viewers"); got != warned {
			t.Errorf("%s: %q", limits, line.Warnings)
		}
	}
}

// TestAnotherVersionReplacesOnlyAnIdleAgent runs against a program of another version.
func TestAnotherVersionReplacesOnlyAnIdleAgent(t *testing.T) {
	other := filepath.Join(t.TempDir(), "fullhouse-agent")
	if output, err := exec.Command("go", "build", "-ldflags", "-X main.version=9.9.9", "-o", other, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	dir := t.TempDir()
	first := startIn(t, dir)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // a server that accepts connections and never responds
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	order(t, first.Address, "audience.start", fmt.Sprintf(
		`{"job":"a","protocol":"whep","url":"http://%s/whep/cam","viewers":2,"ratePerSecond":100,"holdMs":0,"stageTimeoutMs":60000}`, silent.Addr()))
	refused(t, agentCommand(t, other, secondToken, "start", "audience", "--state-dir", dir), "0.1.0", "9.9.9", "2 viewers")
	order(t, first.Address, "audience.stop", `{"job":"a","force":true}`)
	var next protocol.AgentListening
	within(t, "the new version runs", func() bool {
		s := agentCommand(t, other, secondToken, "start", "audience", "--state-dir", dir)
		return s.code == 0 && json.Unmarshal([]byte(s.output), &next) == nil
	})
	if next.Agent != "9.9.9" || next.Running || runs(first.PID) || !answers(next.Address, secondToken) {
		t.Errorf("%+v", next)
	}
}

// order makes one call as the engine does.
func order(t *testing.T, address, call, params string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws://"+address+"/v1", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + firstToken}}})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	for id, request := range []string{`"hello","params":{"protocol":3,"client":{"name":"test","version":"1"}}`, fmt.Sprintf("%q,\"params\":%s", call, params)} {
		if err := socket.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"type":"request","id":%d,"call":%s}`, id, request)); err != nil {
			t.Fatal(err)
		}
		for {
			var response protocol.AgentResponse
			_, data, err := socket.Read(ctx)
			if err = errors.Join(err, json.Unmarshal(data, &response)); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			if response.Type == "response" {
				if !response.OK {
					t.Fatalf("%s", data)
				}
				break
			}
		}
	}
}
