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

	"fullhouse/agent/internal/link"
	"fullhouse/agent/internal/remote"
)

const patience = 30 * time.Second

// said is how a command ended.
type said struct {
	code           int
	output, errors string
}

// agentCommand runs the program as the engine does over SSH. Its standard streams are files, as a pipe that the detached agent
// still held would show only by waiting.
func agentCommand(t *testing.T, program, token string, arguments ...string) said {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	var output, complaints bytes.Buffer
	// Wait reads these to their end: it hangs if the detached agent keeps them open.
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(token+"\n"), &output, &complaints
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return said{command.ProcessState.ExitCode(), output.String(), complaints.String()}
}

const firstToken, secondToken = "the-first-token-0123", "the-second-token-0123"

func startIn(t *testing.T, home string, more ...string) link.Listening {
	t.Helper()
	t.Cleanup(func() {
		if s := agentCommand(t, binary, "", "stop", "--home", home); s.code != 0 {
			t.Errorf("stop: %+v", s)
		}
	})
	return listeningOf(t, agentCommand(t, binary, firstToken, append([]string{"start", "audience", "--home", home}, more...)...))
}

func listeningOf(t *testing.T, s said) link.Listening {
	t.Helper()
	var line link.Listening
	if err := json.Unmarshal([]byte(s.output), &line); s.code != 0 || err != nil || line.Type != "listening" || strings.Count(s.output, "\n") != 1 {
		t.Fatalf("%+v: %v", s, err)
	}
	return line
}

func statusOf(t *testing.T, home string) remote.Status {
	t.Helper()
	s := agentCommand(t, binary, "", "status", "--home", home)
	status := remote.Status{State: &remote.State{}}
	if err := json.Unmarshal([]byte(s.output), &status); s.code != 0 || err != nil || status.Type != "status" {
		t.Fatalf("%+v: %v", s, err)
	}
	return status
}

func refused(t *testing.T, s said, words ...string) {
	t.Helper()
	if s.code != 2 || s.output != "" || strings.Count(s.errors, "\n") != 1 {
		t.Errorf("not one sentence and exit code 2: %+v", s)
	}
	for _, word := range words {
		if !strings.Contains(s.errors, word) {
			t.Errorf("%q does not say %q", s.errors, word)
		}
	}
}

// answers tells whether a WebSocket is opened with the token.
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
	for deadline := time.Now().Add(patience); !fits(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
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
	return !strings.HasPrefix(after, "Z") // a zombie has ended; whoever inherited it has not looked yet
}

func TestAnAgentIsStartedFoundAndStoppedWithoutALeftover(t *testing.T) {
	home := filepath.Join(t.TempDir(), "fullhouse")
	listening := startIn(t, home)
	if listening.Running || listening.Role != "audience" || !answers(listening.Address, firstToken) {
		t.Errorf("%+v", listening)
	}
	for path, mode := range map[string]os.FileMode{home: 0o700, filepath.Join(home, "agent.json"): 0o600, filepath.Join(home, "agent.log"): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	status := statusOf(t, home)
	if !status.Alive || status.PID != listening.PID || status.Address != listening.Address || status.Token != firstToken ||
		status.Agent != version || status.Instance == "" || len(status.SHA256) != 64 || status.StartedMs == 0 {
		t.Errorf("%+v %+v", status, status.State)
	}
	if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", listening.PID)); err != nil || bytes.Contains(line, []byte("token")) {
		t.Errorf("%q, %v", line, err)
	}
	if words, err := os.ReadFile(filepath.Join(home, "agent.log")); err != nil || strings.Contains(string(words), firstToken) {
		t.Errorf("%q, %v", words, err)
	}
	if s := agentCommand(t, binary, "", "stop", "--home", home); s.code != 0 || s.output+s.errors != "" {
		t.Errorf("%+v", s)
	}
	if runs(listening.PID) || exists(home) {
		t.Errorf("left behind: process %v, folder %v", runs(listening.PID), exists(home))
	}
	if status := statusOf(t, home); status.Alive || status.PID != 0 {
		t.Errorf("%+v", status)
	}
}

// TestAnAgentOutlivesTheSessionThatStartedIt kills the whole process group of a shell, as the end of an SSH session may do.
func TestAnAgentOutlivesTheSessionThatStartedIt(t *testing.T) {
	home := t.TempDir()
	shell := exec.Command("sh", "-c", `"$0" start audience --home "$1"; sleep 600`, binary, home)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Stdin = strings.NewReader(firstToken + "\n")
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agentCommand(t, binary, "", "stop", "--home", home) })
	within(t, "the agent lives", func() bool { return statusOf(t, home).Alive })
	for _, signal := range []syscall.Signal{syscall.SIGHUP, syscall.SIGKILL} {
		if err := syscall.Kill(-shell.Process.Pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
	_ = shell.Wait() // it was killed
	if status := statusOf(t, home); !status.Alive || !answers(status.Address, firstToken) {
		t.Errorf("%+v", status)
	}
}

func TestASecondStartFindsTheFirst(t *testing.T) {
	home := t.TempDir()
	first := startIn(t, home)
	second := listeningOf(t, agentCommand(t, binary, secondToken, "start", "audience", "--home", home))
	if !second.Running || second.PID != first.PID || second.Address != first.Address {
		t.Errorf("%+v after %+v", second, first)
	}
	if status := statusOf(t, home); status.Token != firstToken || answers(first.Address, secondToken) {
		t.Errorf("the token has changed: %+v", status)
	}
}

func TestStartsAtTheSameMomentMakeOneAgent(t *testing.T) {
	home := t.TempDir()
	t.Cleanup(func() { agentCommand(t, binary, "", "stop", "--home", home) })
	lines := make(chan said)
	for range 4 {
		go func() { lines <- agentCommand(t, binary, firstToken, "start", "audience", "--home", home) }()
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

func TestAnAgentThatWasKilledIsToldAndReplaced(t *testing.T) {
	home := t.TempDir()
	first := startIn(t, home)
	if err := syscall.Kill(first.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	within(t, "it is told as ended", func() bool { return !statusOf(t, home).Alive })
	if status := statusOf(t, home); status.PID != first.PID || !strings.Contains(status.LastWords, "listens at") {
		t.Errorf("%+v", status)
	}
	if next := listeningOf(t, agentCommand(t, binary, secondToken, "start", "audience", "--home", home)); next.Running || next.PID == first.PID || !answers(next.Address, secondToken) {
		t.Errorf("%+v", next)
	}
}

func TestStopEndsOnlyItsOwnAgent(t *testing.T) {
	home := t.TempDir()
	other := exec.Command("sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = other.Process.Kill(), other.Wait() }() // it may have been killed already, which is the failure
	state := fmt.Sprintf(`{"pid":%d,"address":"127.0.0.1:1","token":"%s","instance":"x","protocol":1,"agent":"0.1.0"}`, other.Process.Pid, firstToken)
	if err := os.WriteFile(filepath.Join(home, "agent.json"), []byte(state), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := agentCommand(t, binary, "", "stop", "--home", home); s.code != 0 {
		t.Errorf("%+v", s)
	}
	if !runs(other.Process.Pid) || exists(home) {
		t.Errorf("the other runs: %v; folder: %v", runs(other.Process.Pid), exists(home))
	}
}

func TestStopKillsAnAgentThatHangs(t *testing.T) {
	home := t.TempDir()
	listening := startIn(t, home)
	if err := syscall.Kill(listening.PID, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if s := agentCommand(t, binary, "", "stop", "--home", home); s.code != 0 {
		t.Errorf("%+v", s)
	}
	if runs(listening.PID) || exists(home) {
		t.Errorf("left behind: process %v, folder %v", runs(listening.PID), exists(home))
	}
}

func TestStopFindsAnAgentThatLostItsFile(t *testing.T) {
	for _, spoil := range []func(string) error{os.Remove, func(path string) error { return os.WriteFile(path, []byte("{half"), 0o600) }} {
		home := filepath.Join(t.TempDir(), "fullhouse")
		listening := startIn(t, home)
		if err := spoil(filepath.Join(home, "agent.json")); err != nil {
			t.Fatal(err)
		}
		if s := agentCommand(t, binary, "", "stop", "--home", home); s.code != 0 || runs(listening.PID) || exists(home) {
			t.Errorf("%+v; runs: %v; folder: %v", s, runs(listening.PID), exists(home))
		}
	}
}

func TestAnAgentThatNobodyCallsEndsAndLeavesNothing(t *testing.T) {
	home := filepath.Join(t.TempDir(), "fullhouse")
	listening := startIn(t, home, "--alone", "200ms", "--keep", "400ms")
	within(t, "it ends", func() bool { return !runs(listening.PID) && !exists(home) })
}

func TestStopLeavesTheFilesOfOthers(t *testing.T) {
	home := t.TempDir()
	startIn(t, home)
	program := filepath.Join(home, "fullhouse-agent")
	if err := os.WriteFile(program, []byte("somebody's"), 0o700); err != nil {
		t.Fatal(err)
	}
	agentCommand(t, binary, "", "stop", "--home", home)
	if left, err := os.ReadDir(home); err != nil || len(left) != 1 || left[0].Name() != "fullhouse-agent" {
		t.Errorf("%v, %v", left, err)
	}
}

func TestAHomeThatCantBeUsedIsOneSentence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--home", filepath.Join(file, "home")), file, "--home")
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--home", "/proc/fullhouse"), "/proc/fullhouse")

	open := filepath.Join(t.TempDir(), "open")
	if err := errors.Join(os.Mkdir(open, 0o700), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--home", open), "0777", "--home")

	// A log on a full disk: the first line that is written tells.
	full := filepath.Join(t.TempDir(), "full")
	if err := errors.Join(os.Mkdir(full, 0o700), os.Symlink("/dev/full", filepath.Join(full, "agent.log"))); err != nil {
		t.Fatal(err)
	}
	refused(t, agentCommand(t, binary, firstToken, "start", "audience", "--home", full), full, "disk", "full")
	if exists(filepath.Join(full, "agent.json")) {
		t.Error("a start that failed left agent.json")
	}
}

// TestAProgramThatCantBeRunIsOneSentence starts one whose file lost its permission, as on a disk that is mounted with noexec.
func TestAProgramThatCantBeRunIsOneSentence(t *testing.T) {
	program := filepath.Join(t.TempDir(), "agent")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "home")
	_, err := remote.Start(remote.StartConfig{Program: program, Home: home, Token: firstToken, Version: version, Role: "audience"})
	if err == nil || !strings.Contains(err.Error(), program) || !strings.Contains(err.Error(), "executable") || exists(home) {
		t.Errorf("%v; home left: %v", err, exists(home))
	}
}

// TestFewOpenFilesAreRaisedOrTold starts under a low soft limit, which is raised, and under a low hard one, which is told.
func TestFewOpenFilesAreRaisedOrTold(t *testing.T) {
	for limits, warned := range map[string]bool{"ulimit -S -n 128": false, "ulimit -n 1000": true} {
		home := t.TempDir()
		t.Cleanup(func() { agentCommand(t, binary, "", "stop", "--home", home) })
		line := listeningOf(t, agentCommand(t, "sh", firstToken, "-c", limits+`; exec "$0" start audience --home "$1"`, binary, home))
		if got := len(line.Warnings) == 1 && strings.Contains(line.Warnings[0], "1000 open files, enough for 744 viewers"); got != warned {
			t.Errorf("%s: %q", limits, line.Warnings)
		}
	}
}

// TestAnotherVersionTakesThePlaceOfAnIdleAgentOnly plays against a program of another version.
func TestAnotherVersionTakesThePlaceOfAnIdleAgentOnly(t *testing.T) {
	other := filepath.Join(t.TempDir(), "fullhouse-agent")
	if output, err := exec.Command("go", "build", "-ldflags", "-X main.version=9.9.9", "-o", other, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	home := t.TempDir()
	first := startIn(t, home)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // a server that takes viewers and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	order(t, first.Address, "audience.start", fmt.Sprintf(
		`{"job":"a","protocol":"whep","url":"http://%s/whep/cam","viewers":2,"ratePerSecond":100,"holdMs":0,"stageTimeoutMs":60000}`, silent.Addr()))
	refused(t, agentCommand(t, other, secondToken, "start", "audience", "--home", home), "0.1.0", "9.9.9", "2 viewers")
	order(t, first.Address, "audience.stop", `{"job":"a","force":true}`)
	var next link.Listening
	within(t, "the new version takes over", func() bool {
		s := agentCommand(t, other, secondToken, "start", "audience", "--home", home)
		return s.code == 0 && json.Unmarshal([]byte(s.output), &next) == nil
	})
	if next.Agent != "9.9.9" || next.Running || runs(first.PID) || !answers(next.Address, secondToken) {
		t.Errorf("%+v", next)
	}
}

// order makes one call as the engine does.
func order(t *testing.T, address, call, params string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, "ws://"+address+"/v1", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + firstToken}}})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.CloseNow()
	for id, request := range []string{`"hello","params":{"protocol":1,"client":{"name":"test","version":"1"}}`, fmt.Sprintf("%q,\"params\":%s", call, params)} {
		if err := socket.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"type":"request","id":%d,"call":%s}`, id, request)); err != nil {
			t.Fatal(err)
		}
		for {
			var response link.Response
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
