package play

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fullhouse/agent/internal/failure"
	"fullhouse/agent/internal/testing/exposed"
	"fullhouse/agent/internal/testing/mediaservers"
)

func join(t *testing.T, address, scheme string, timeout time.Duration) (*Viewer, *failure.Failure) {
	return joinAs(t, address, scheme, Config{StageTimeout: timeout})
}

func joinAs(t *testing.T, address, scheme string, config Config) (*Viewer, *failure.Failure) {
	t.Helper()
	target, err := ParseAddress(address, scheme)
	if err != nil {
		t.Fatal(err)
	}
	config.FFmpeg, config.URL = mediaservers.FFmpeg(t), target
	v := newViewer(NewGroup(config))
	t.Cleanup(func() {
		if err := v.Disconnect(context.Background(), true); err != nil {
			t.Error(err)
		}
	})
	return v, v.Connect(context.Background(), context.Background())
}

// plays expects a second of media: 25 frames with a keyframe, and audio.
func plays(t *testing.T, v *Viewer, f *failure.Failure) {
	t.Helper()
	if f != nil {
		t.Fatal(f)
	}
	for end := time.Now().Add(20 * time.Second); v.Read(time.Now()).Frames < 30; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%+v", v.Read(time.Now()))
		}
	}
	if f := v.Tick(time.Now()); f != nil {
		t.Fatal(f)
	}
	reading := v.Read(time.Now())
	if reading.FirstPacketAt == 0 || reading.FirstFrameAt == 0 || reading.Bytes < 10_000 || reading.Packets <= reading.Frames {
		t.Errorf("%+v", reading)
	}
	detail := v.Detail()
	if len(detail.Streams) != 2 || detail.Streams[0].Codec != "H.264" || detail.Streams[1].Kind != "audio" {
		t.Errorf("%+v", detail)
	}
}

// A source of SRT that has no keyframe within the timeout, and one that sends nothing after its handshake.
func TestVideoWithoutAKeyframeAndSilenceAreDistinguished(t *testing.T) {
	t.Parallel()
	movie := mediaservers.BetweenKeyframes(t)
	cut := filepath.Join(filepath.Dir(movie), "cut.ts")
	// The first 5 s have no keyframe, and are sent again and again.
	if out, err := exec.Command(mediaservers.FFmpeg(t), "-v", "error", "-nostdin", "-i", movie, "-t", "5", "-c", "copy", "-copyinkf", cut).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, test := range map[string]struct {
		serve func() string
		stage failure.Stage
		cause string
	}{
		"no keyframe": {func() string { address, _ := mediaservers.SRTBytes(t, cut); return address }, failure.FirstFrame, "no-keyframe"},
		"silence":     {func() string { address, _ := mediaservers.SRTBytes(t, ""); return address }, failure.FirstPacket, "silent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, f := join(t, test.serve(), "srt", 3*time.Second)
			if f == nil || f.Stage != test.stage || f.Cause.String() != test.cause || strings.Contains(f.Detail, "received nothing") {
				t.Fatalf("%+v", f)
			}
			t.Log(f)
		})
	}
}

// leaves expects that the process ends by itself when it is asked to.
func leaves(t *testing.T, v *Viewer) {
	t.Helper()
	startTime := time.Now()
	if err := v.Disconnect(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	select {
	case <-v.process.Done():
	default:
		t.Error("the process has not ended")
	}
	t.Logf("ended after %s", time.Since(startTime))
	if v.Failure != nil {
		t.Error(v.Failure)
	}
}

func TestSRTIsCounted(t *testing.T) {
	t.Parallel()
	address, stop := mediaservers.SRT(t, mediaservers.Movie(t), "passphrase=long-enough")
	v, f := join(t, address+"?passphrase=long-enough&streamid=planted-id", "srt", 5*time.Second)
	plays(t, v, f)
	exposed.Check(t, nil, "planted-id") // the test's own server has the passphrase as an argument
	leaves(t, v)
	stop()
	address, _ = mediaservers.SRT(t, mediaservers.Movie(t), "passphrase=long-enough")
	if _, f := join(t, address+"?passphrase=another-one", "srt", 5*time.Second); f == nil || f.Cause.String() != "srt-rejected" || !strings.Contains(f.Detail, "passphrase") {
		t.Errorf("%+v", f)
	}
}

// The next keyframe is 7 s away: a viewer waits for it, and its first frame is that keyframe.
func TestViewersOfSRTThatJoinBetweenKeyframesWaitForTheNext(t *testing.T) {
	t.Parallel()
	address, _ := mediaservers.SRT(t, mediaservers.BetweenKeyframes(t))
	startTime := time.Now()
	v, f := join(t, address, "srt", 5*time.Second)
	plays(t, v, f)
	if after := time.Unix(0, v.Read(time.Now()).FirstFrameAt).Sub(startTime); after < 5*time.Second || after > 11*time.Second {
		t.Errorf("the first frame after %s", after)
	}
	leaves(t, v)
}

func TestALoginOfRTSPIsSeenByTheServerOnly(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"basic", "digest"} {
		server, _ := mediaservers.RTSP(t, mediaservers.Movie(t), method)
		address := strings.Replace(server, "//", "//"+mediaservers.RTSPUser+":"+mediaservers.RTSPPassword+"@", 1) + "/cam"
		v, f := join(t, address, "rtsp", 5*time.Second)
		plays(t, v, f)
		if names := exposed.Check(t, nil, mediaservers.RTSPPassword); !strings.Contains(names, "ffmpeg") {
			t.Errorf("no ffmpeg among %q", names)
		}
		leaves(t, v)
		_, f = join(t, server+"/cam", "rtsp", 5*time.Second)
		if f == nil || f.Cause.String() != "rtsp-401" {
			t.Errorf("%+v", f)
		}
	}
}

func TestRTSPIsCountedAndItsEndFailsTheViewer(t *testing.T) {
	t.Parallel()
	address, stop := mediaservers.RTSP(t, mediaservers.Movie(t))
	first, f := join(t, address+"/cam", "rtsp", 5*time.Second)
	plays(t, first, f)
	if steps := first.Detail().Times.Steps(); len(steps) != 2 || steps[0].At >= steps[1].At {
		t.Errorf("%+v", steps)
	}
	leaves(t, first)
	_, f = join(t, address+"/other?token=abcdef", "rtsp", 5*time.Second)
	if f == nil || f.Stage != failure.Signalling || f.Cause.String() != "rtsp-404" || strings.Contains(f.Detail, "abcdef") {
		t.Errorf("%+v", f)
	}
	listener, f := joinAs(t, address+"/cam", "rtsp", Config{StageTimeout: 5 * time.Second, AudioOnly: true})
	if f != nil {
		t.Fatal(f)
	}
	for end := time.Now().Add(20 * time.Second); listener.Read(time.Now()).Packets < 20 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	// A second of audio is 8 kB, of video several times as much.
	if r := listener.Read(time.Now()); r.Packets < 20 || r.Frames != 0 || !r.AudioOnly || r.Bytes > 20_000 || len(listener.Detail().Streams) != 1 {
		t.Errorf("%+v, %+v", r, listener.Detail())
	}
	lost, f := join(t, address+"/cam", "rtsp", 5*time.Second)
	if f != nil {
		t.Fatal(f)
	}
	stop()
	<-lost.process.Done()
	if f := lost.Tick(time.Now()); f == nil || f.Stage != failure.Media || f.Cause.String() != "closed" {
		t.Errorf("%+v", f)
	} else {
		t.Log(f)
	}
}

func TestAFailureHasAStageAndACause(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts, and responds nothing
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	closed, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = closed.Close() }) // nothing speaks SRT there
	for name, test := range map[string]struct {
		address, scheme string
		stage           failure.Stage
		cause           string
	}{
		"refused":     {"rtsp://viewer:s3cret@127.0.0.1:1/cam", "rtsp", failure.TCP, "refused"},
		"no name":     {"rtsp://viewer:s3cret@name.invalid/cam", "rtsp", failure.Name, "not-found"},
		"no response": {"rtsp://viewer:s3cret@" + silent.Addr().String() + "/cam", "rtsp", failure.Signalling, "timeout"},
		"no SRT":      {"srt://" + closed.LocalAddr().String() + "?passphrase=s3cret-s3cret", "srt", failure.Signalling, "srt-timeout"},
		"no SRT name": {"srt://name.invalid:7?passphrase=s3cret-s3cret", "srt", failure.Name, "not-found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, f := join(t, test.address, test.scheme, time.Second)
			if f == nil || f.Stage != test.stage || f.Cause.String() != test.cause || strings.Contains(f.Detail, "s3cret") {
				t.Fatalf("%+v", f)
			}
			t.Log(f)
		})
	}
}

func TestAViewerThatIsStoppedWhileItConnectsEndsItsProcess(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	target, err := ParseAddress("rtsp://"+silent.Addr().String()+"/cam", "rtsp")
	if err != nil {
		t.Fatal(err)
	}
	v := newViewer(NewGroup(Config{FFmpeg: mediaservers.FFmpeg(t), URL: target, StageTimeout: time.Minute}))
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _, _ = silent.Accept(); cancel() }()
	if f := v.Connect(ctx, context.Background()); f == nil {
		t.Error("it connected")
	}
	leaves(t, v)
}

func TestAddressesAreThoseOfAServer(t *testing.T) {
	for address, scheme := range map[string]string{"rtsp://h/x": "rtsp", "rtsps://u:p@h:322/x": "rtsp", "srt://h:9000": "srt", "srt://h:9000?mode=caller&streamid=x": "srt"} {
		if _, err := ParseAddress(address, scheme); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for address, scheme := range map[string]string{"http://h/x": "rtsp", "srt://h": "srt", "srt://h:9?mode=listener": "srt", "rtsp://": "rtsp", "file:///etc/passwd": "rtsp", "rtsp://h/x": "srt"} {
		if _, err := ParseAddress(address, scheme); err == nil {
			t.Errorf("%s is accepted", address)
		}
	}
}

// ffmpeg sends the text of an address as it is: encoded, a server would not know the stream.
func TestTextsOfAnSRTAddressAreDecoded(t *testing.T) {
	for text, want := range map[string]string{
		"srt://h:9?streamid=read%3Acam%26x&latency=200000&passphrase=a%20secret%27s": "srt://h:9?latency=200000 streamid|read:cam&x passphrase|a secret's",
		"srt://h:9?streamid=read:cam":       "srt://h:9 streamid|read:cam",
		"srt://h:9?streamid=100%":           "srt://h:9?streamid=100% ",
		"srt://h:9?streamid=#!::r=cam":      "srt://h:9?streamid=#!::r=cam ",
		"srt://h:9?passphrase=&mode=caller": "srt://h:9?passphrase=&mode=caller ",
	} {
		target, err := ParseAddress(text, "srt")
		if err != nil {
			t.Fatal(err)
		}
		address, options := withoutTexts(target)
		var texts []string
		for i := 0; i < len(options); i += 2 {
			texts = append(texts, options[i]+"|"+options[i+1])
		}
		if got := address + " " + strings.Join(texts, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
