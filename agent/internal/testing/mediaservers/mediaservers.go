// Package mediaservers starts real servers of SRT and RTSP on loopback for a test: ffmpeg as the listener of SRT, and
// GStreamer's gst-rtsp-server.
package mediaservers

import (
	"bufio"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

//go:embed rtsp.py
var rtspServer string

const startTimeout = 20 * time.Second

// FFmpeg is the machine's ffmpeg; the test is skipped without one.
func FFmpeg(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("ffmpeg is not installed: apt-get install ffmpeg")
	}
	return path
}

// Movie is the path of a video of H.264 (25 fps, a keyframe a second) and AAC, of 20 s.
func Movie(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "movie.mp4")
	if out, err := exec.Command(FFmpeg(t), "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=20", "-f", "lavfi", "-i", "sine=d=20",
		"-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "25", "-c:a", "aac", "-b:a", "64k", "-movflags", "+faststart", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// BetweenKeyframes is the path of a movie in MPEG-TS as a viewer receives it that joins between keyframes, which are 10 s
// apart: the next one is 7 s away. Its audio starts at once.
func BetweenKeyframes(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	list, rest := filepath.Join(folder, "list"), filepath.Join(folder, "rest.ts")
	if out, err := exec.Command(FFmpeg(t), "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=30", "-f", "lavfi", "-i", "sine=d=30",
		"-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "250", "-keyint_min", "250", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "64k",
		"-f", "segment", "-segment_format", "mpegts", "-segment_times", "3", "-break_non_keyframes", "1", "-segment_list", list, filepath.Join(folder, "%d.ts")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Rename(filepath.Join(folder, "1.ts"), rest); err != nil {
		t.Fatal(err)
	}
	return rest
}

// Start runs a program until the test ends, or until it is stopped.
func Start(t testing.TB, command *exec.Cmd) (stop func()) {
	t.Helper()
	command.SysProcAttr = endsWithTest
	var log strings.Builder
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = command.Wait() }() // killed below
	stop = func() { _ = command.Process.Kill(); <-ended }
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("%s: %s", command.Path, log.String())
		}
	})
	return stop
}

// SRT serves a movie in a loop to one viewer, and returns the address. Options are of ffmpeg's SRT listener, such as
// passphrase=… .
func SRT(t testing.TB, movie string, options ...string) (address string, stop func()) {
	t.Helper()
	address = fmt.Sprintf("srt://127.0.0.1:%d", FreePort(t))
	stop = Start(t, exec.Command(FFmpeg(t), "-v", "error", "-nostdin", "-re", "-stream_loop", "-1", "-i", movie, "-c", "copy", "-copyinkf", "-f", "mpegts",
		address+"?"+strings.Join(append([]string{"mode=listener"}, options...), "&")))
	return address, stop
}

// SRTBytes serves the bytes of a file in a loop to one viewer, as they are and at 300 kbit/s; without a file it sends
// one packet without content and nothing else.
func SRTBytes(t testing.TB, file string) (address string, stop func()) {
	t.Helper()
	address = fmt.Sprintf("srt://127.0.0.1:%d", FreePort(t))
	command := exec.Command(FFmpeg(t), "-v", "error", "-nostdin", "-f", "data", "-i", "pipe:0", "-map", "0", "-c", "copy", "-f", "data", "-flush_packets", "1", address+"?mode=listener")
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var data []byte
	if file != "" {
		if data, err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	stop = Start(t, command)
	const packets, interval = 1316, 35 * time.Millisecond
	if file == "" {
		data = slices.Concat([]byte{0x47, 0x1f, 0xff, 0x10}, make([]byte, 184))
	}
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	go func() {
		for at := 0; ; at += packets {
			select {
			case <-ended:
				_ = input.Close()
				return
			case <-time.After(interval):
			}
			if file == "" && at > 0 {
				continue
			}
			if at > len(data) {
				at = 0
			}
			if _, err := input.Write(data[at:min(at+packets, len(data))]); err != nil {
				return
			}
		}
	}()
	return address, stop
}

// Login of the server of RTSP with authentication.
const RTSPUser, RTSPPassword = "me", "s3cret-pw"

// RTSP serves a movie to any number of viewers at /cam, takes publishers at /in, and returns the address of the server.
// With a method, basic or digest, it requires a login. It skips the test where gst-rtsp-server is not installed.
func RTSP(t testing.TB, movie string, method ...string) (address string, stop func()) {
	t.Helper()
	const python = "/usr/bin/python3" // for which Debian installs GStreamer's bindings
	script := filepath.Join(t.TempDir(), "rtsp.py")
	if err := os.WriteFile(script, []byte(rtspServer), 0o600); err != nil {
		t.Fatal(err)
	}
	if exec.Command(python, "-c", "import gi; gi.require_version('GstRtspServer', '1.0')").Run() != nil {
		t.Skip("gst-rtsp-server is not installed: apt-get install gir1.2-gst-rtsp-server-1.0 gstreamer1.0-plugins-good python3-gi")
	}
	command := exec.Command(python, append([]string{script, movie}, method...)...)
	output, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	command.Stdout = write
	stop = Start(t, command)
	_ = write.Close()
	if err := output.SetReadDeadline(time.Now().Add(startTimeout)); err != nil {
		t.Fatal(err)
	}
	port, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("the RTSP server did not start: %v", err)
	}
	return "rtsp://127.0.0.1:" + strings.TrimSpace(port), stop
}

// Ports outside of the range of which the system takes those of outgoing connections (32768 to 60999 on Linux): another
// program may get one of these between the look and the listener.
const firstFreePort, freePorts = 20_000, 12_000

// FreePort is a port of loopback that was free for UDP and TCP a moment ago.
func FreePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := firstFreePort + rand.IntN(freePorts)
		if isFree(port) {
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

func isFree(port int) bool {
	address := fmt.Sprintf("127.0.0.1:%d", port)
	socket, err := net.ListenPacket("udp", address)
	if err != nil {
		return false
	}
	defer socket.Close()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return false
	}
	return listener.Close() == nil
}
