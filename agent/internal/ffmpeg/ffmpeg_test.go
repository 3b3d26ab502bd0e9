package ffmpeg

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
)

// reported is the output of ffmpeg 5.1 for a stream of H.264 and AAC over SRT.
const reported = `#extradata 0:       34, 0x7eb507f0
#software: Lavf59.27.100
#tb 0: 1/90000
#media_type 0: video
#codec_id 0: h264
#dimensions 0: 320x180
#sar 0: 1/1
#tb 1: 1/90000
#media_type 1: audio
#codec_id 1: aac
1,          0,          0,     2089,      265, 0x215b7c46, S=1,        1
0,       2090,       2090,     3600,     7572, 0xc58cc864, S=1,        1
1,       4178,       4178,     2089,      153, 0x45295256
0,       5690,       5690,     3600,     2624, 0xcafcede5, F=0x0, S=1,        1
0,       9290,       9290,     3600,     2276, 0x952a63bc, F=0x3
0, -9223372036854775808, 0, 1, 10, 0x0, F=0x5
`

func TestPacketsAreRead(t *testing.T) {
	var packets Packets
	var got []Packet
	readLines(strings.NewReader(reported+strings.Repeat("x", 3*maxLine)+"\n2, 0, 0, 0, 7, 0x0\n0, 1, 1, 1, 20, 0x0\n0, 1, 1"), func(line []byte) {
		if packet, isPacket := packets.Line(line); isPacket {
			got = append(got, packet)
		}
	})
	video := func(isKeyframe bool, bytes int) Packet { return Packet{true, isKeyframe, bytes, "H.264"} }
	want := []Packet{{false, true, 265, "aac"}, video(true, 7572), {false, true, 153, "aac"}, video(false, 2624), video(true, 2276), video(true, 10), video(true, 20)}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v", got)
	}
}

// FuzzPackets feeds any output: sizes stay possible, and each line is independent of how it arrives.
func FuzzPackets(f *testing.F) {
	f.Add([]byte(reported))
	f.Add([]byte("#media_type 15: video\n15,0,0,0,1,0,F=0x1\n#codec_id -1: x\n99,0,0,0,0,0\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		var packets Packets
		readLines(bytes.NewReader(output), func(line []byte) {
			if packet, isPacket := packets.Line(line); isPacket && (packet.Bytes < 0 || packet.Bytes > 1<<30) {
				t.Errorf("%+v", packet)
			}
		})
	})
}

func wordsOf(t *testing.T, address string, log ...string) *Words {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	words := NewWords(target)
	for _, line := range log {
		words.Line([]byte(line))
	}
	return words
}

// The lines are those of ffmpeg 5.1 and 6.
func TestWhatFFmpegSaysHasAStageAndNoSecrets(t *testing.T) {
	const rtsp, srt = "rtsp://u:s3cret@h:554/cam?token=abcdef", "srt://h:9000?streamid=read:cam:s3cret&passphrase=abcdef%21%21%21%21"
	for _, test := range []struct {
		address                string
		log                    string
		stage                  failure.Stage
		cause, reason          string
		isConnected, isAccepts bool
	}{
		{rtsp, "[rtsp @ 0x562fbb574a00] [error] method DESCRIBE failed: 401 Unauthorized\n[error] " + rtsp + ": Server returned 401 Unauthorized (authorization failed)",
			failure.Signalling, "rtsp-401", "method DESCRIBE failed: 401 Unauthorized", true, false},
		// MediaMTX 1.20.1, maxReaders, in response to SETUP
		{rtsp, "[concat @ 0x55cea744c980] [error] Impossible to open '" + rtsp + "'\n[error] pipe:0: Server returned 400 Bad Request",
			failure.Signalling, "rtsp-400", "Server returned 400 Bad Request", true, false},
		{rtsp, "[error] " + rtsp + ": Server returned 5XX Server Error reply", failure.Signalling, "closed", "Server returned 5XX Server Error reply", true, false},
		{rtsp, "[tcp @ 0x1] [error] Connection to tcp://h:554?timeout=5000000 failed: Connection timed out", failure.TCP, "timeout", "Connection to h:554 failed: Connection timed out", false, false},
		{rtsp, "[rtsp @ 0x1] [error] method SETUP failed: 461 Unsupported transport", failure.Signalling, "rtsp-461", "method SETUP failed: 461 Unsupported transport", true, true},
		{srt, "22:28:23.30/SRT:RcvQ:w1!W:SRT.cn: processAsyncConnectRequest: REJECT reported from HS processing: Incorrect passphrase - not processing further\n[srt @ 0x1] [error] Connection to " + srt + " failed: Input/output error",
			failure.Signalling, "srt-rejected", "the server rejected the handshake (Incorrect passphrase)", false, false},
		{srt, "[error] " + srt + ": Protocol not found", failure.TCP, "ffmpeg", "Protocol not found", false, false},
		{srt, "[srt @ 0x1] [error] option abcdef!!!! of u:s3cret", failure.TCP, "closed", "option … of u:s3cret", false, false},
		{rtsp, "", failure.TCP, "closed", "", false, false},
	} {
		words := wordsOf(t, test.address, strings.Split(test.log, "\n")...)
		stage, cause, hint := Classify(words, test.isConnected, test.isAccepts)
		if cause.String() == "rtsp-400" && !strings.Contains(hint, "limit of viewers") {
			t.Errorf("%q", hint)
		}
		if stage != test.stage || cause.String() != test.cause || words.Reason() != test.reason {
			t.Errorf("%s %s %q of %s", stage, cause, words.Reason(), test.log)
		}
	}
}

// collector keeps the lines of a process.
type collector struct {
	mutex  sync.Mutex
	output []string
	ended  bool
}

func (c *collector) Output(line []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.output = append(c.output, string(line))
}
func (c *collector) Log([]byte) {}
func (c *collector) Ended()     { c.mutex.Lock(); defer c.mutex.Unlock(); c.ended = true }

// script is a program that ignores its arguments.
func script(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	path := filepath.Join(t.TempDir(), "ffmpeg")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAProcessThatIgnoresItsEndIsKilled(t *testing.T) {
	lines := &collector{}
	p, err := Start(script(t, "trap '' TERM\necho ready\nwhile :; do sleep 0.1; done"), nil, false, lines)
	if err != nil {
		t.Fatal(err)
	}
	for isReady := false; !isReady; time.Sleep(5 * time.Millisecond) {
		lines.mutex.Lock()
		isReady = len(lines.output) > 0
		lines.mutex.Unlock()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	p.Stop(ctx, false)
	if p.Err() == nil || !lines.ended {
		t.Errorf("%v, %v", p.Err(), lines.ended)
	}
}

func TestWhatIsMissingIsASentence(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find("rtsp"); err == nil || !strings.Contains(err.Error(), "apt-get install ffmpeg") {
		t.Error(err)
	}
	path := script(t, "echo Input:; echo '  rtmp'; echo '  srtp'")
	t.Setenv("PATH", filepath.Dir(path))
	if _, err := Find("srt"); err == nil || !strings.Contains(err.Error(), "libsrt") {
		t.Error(err)
	}
	if found, err := Find("rtsp"); err != nil || found != path {
		t.Error(found, err)
	}
	if _, err := Start(filepath.Join(t.TempDir(), "none"), nil, false, &collector{}); err == nil {
		t.Error("it started")
	}
}

const childOfTest = "FULLHOUSE_TEST_CHILD"

// TestProcessesEndWithAKilledAgent starts a process from a copy of the test, which is killed.
func TestProcessesEndWithAKilledAgent(t *testing.T) {
	if path := os.Getenv(childOfTest); path != "" {
		lines := &collector{}
		if _, err := Start(path, nil, false, lines); err != nil {
			t.Fatal(err)
		}
		for {
			lines.mutex.Lock()
			if len(lines.output) > 0 {
				fmt.Printf("pid %s\n", lines.output[0])
				lines.output = nil
			}
			lines.mutex.Unlock()
			time.Sleep(5 * time.Millisecond)
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("other systems end a process with the pipe that it writes to")
	}
	agent := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	agent.Env = append(os.Environ(), childOfTest+"="+script(t, "echo $$\nexec sleep 60"))
	output, err := agent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for scanner := bufio.NewScanner(output); pid == 0 && scanner.Scan(); {
		_, _ = fmt.Sscanf(scanner.Text(), "pid %d", &pid)
	}
	if err := agent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = agent.Wait() // it was killed
	for end := time.Now().Add(10 * time.Second); isRunning(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d is still running", pid)
		}
	}
}

// isRunning reports whether a process exists and is no zombie.
func isRunning(pid int) bool {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(status), ") ")
	return !strings.HasPrefix(state, "Z")
}
