package fanout

import (
	"encoding/binary"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/conditions"
	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
	"fullhouse/agent/internal/protocol"
)

// manualLoop is a loop without a thread, with one viewer of the sample.
func manualLoop(t *testing.T, c conditions.Conditions) (*Loop, *Stream, *Viewer) {
	t.Helper()
	socket, player := loopbackSocket(t), loopbackSocket(t)
	l := newLoop()
	var err error
	if l.batch, err = udp.NewBatch(socket); err != nil {
		t.Fatal(err)
	}
	stream := NewSample(loadSample(t))
	stream.SetConditions(c)
	v := viewerOf(t, stream, player, srtp.ProtectionProfileAeadAes128Gcm)
	l.add(v)
	return l, stream, v
}

// pass waits, which takes no time in these tests, and runs one tick.
func (l *Loop) pass(step time.Duration) {
	time.Sleep(step)
	l.tick()
}

// playOver plays the sample for some of its own time and returns the viewer.
func playOver(t *testing.T, c conditions.Conditions, length time.Duration) *Viewer {
	t.Helper()
	l, _, v := manualLoop(t, c)
	const step = 5 * time.Millisecond
	for played := time.Duration(0); played < length; played += step {
		l.pass(step)
	}
	return v
}

func figuresOf(t *testing.T, v *Viewer) protocol.LabSent {
	t.Helper()
	figures, known := v.Truth()
	if !known {
		t.Fatal("the ground truth is unknown")
	}
	return figures
}

func TestLossIsTheConfiguredShareAndTheRestAreCompleteFrames(t *testing.T) {
	synctest.Test(t, testLossIsTheConfiguredShareAndTheRestAreCompleteFrames)
}

func testLossIsTheConfiguredShareAndTheRestAreCompleteFrames(t *testing.T) {
	v := playOver(t, conditions.Conditions{LossPercent: 5}, 2*time.Minute)
	f := figuresOf(t, v)
	share := 100 * float64(f.Video.Dropped) / float64(f.Video.Sent)
	if f.Video.Sent < 2500 || math.Abs(share-5) > 1.2 || f.Video.Repaired != 0 || f.Audio.Dropped == 0 {
		t.Errorf("%+v", f)
	}
	if frames := f.FramesComplete + f.FramesBroken; frames < 2850 || frames > 3010 || f.FramesBroken < f.Video.Dropped/2 {
		t.Errorf("%d complete and %d broken frames in two minutes", f.FramesComplete, f.FramesBroken)
	}
}

func TestJitterDelaysWithoutLosingOrOvertaking(t *testing.T) {
	synctest.Test(t, testJitterDelaysWithoutLosingOrOvertaking)
}

func testJitterDelaysWithoutLosingOrOvertaking(t *testing.T) {
	v := playOver(t, conditions.Conditions{DelayMs: 50, JitterMs: 15}, time.Minute)
	f := figuresOf(t, v)
	if f.Video.Dropped+f.Video.Reordered+f.Audio.Dropped+f.Audio.Reordered != 0 || f.FramesBroken != 0 || v.queued > 10 {
		t.Errorf("%+v, %d queued", f, v.queued)
	}
	// 50 to 80 ms and up to 5 ms of this test's own tick; queued packets wait for earlier ones.
	if f.AddedDelayMs.Mean < 60 || f.AddedDelayMs.Mean > 75 || f.AddedDelayMs.P95 < 75 || f.AddedDelayMs.P95 > 87 || f.JitterMs < 2 || f.JitterMs > 12 {
		t.Errorf("%+v", f)
	}
}

func TestPacketsOutOfOrderStillArrive(t *testing.T) {
	synctest.Test(t, testPacketsOutOfOrderStillArrive)
}

func testPacketsOutOfOrderStillArrive(t *testing.T) {
	f := figuresOf(t, playOver(t, conditions.Conditions{ReorderPercent: 5}, time.Minute))
	if f.Video.Dropped != 0 || f.FramesBroken != 0 || f.Video.Reordered < f.Video.Sent/40 || f.Video.Reordered > f.Video.Sent/10 {
		t.Errorf("%+v", f)
	}
}

func TestAClearedPathKeepsTheOrder(t *testing.T) { synctest.Test(t, testAClearedPathKeepsTheOrder) }

func testAClearedPathKeepsTheOrder(t *testing.T) {
	l, stream, v := manualLoop(t, conditions.Conditions{DelayMs: 500})
	for tick := range 600 {
		if tick == 300 {
			stream.SetConditions(conditions.Conditions{})
		}
		l.pass(5 * time.Millisecond)
	}
	if f := figuresOf(t, v); f.Video.Reordered+f.Audio.Reordered != 0 || f.FramesComplete < 40 || v.queued != 0 || l.held.Count() != 0 {
		t.Errorf("%+v, %d queued", f, v.queued)
	}
}

func TestPacketsQueueBehindOthers(t *testing.T) { synctest.Test(t, testPacketsQueueBehindOthers) }

func testPacketsQueueBehindOthers(t *testing.T) {
	l, stream, v := manualLoop(t, conditions.Conditions{LossPercent: 1e-9})
	v.queued = 1 // one that is due, and leaves within its millisecond
	stream.mutex.Lock()
	l.sendPacket(v, v.cursor, stream.clock(), false)
	stream.mutex.Unlock()
	if l.held.Count() != 1 || v.queued != 2 {
		t.Errorf("%d held, %d queued", l.held.Count(), v.queued)
	}
}

func TestAfterThePauseEverythingArrives(t *testing.T) {
	synctest.Test(t, testAfterThePauseEverythingArrives)
}

func testAfterThePauseEverythingArrives(t *testing.T) {
	for _, c := range []conditions.Conditions{{}, {DelayMs: 30}} {
		l, stream, v := manualLoop(t, c)
		for tick := range 800 {
			if tick == 200 {
				stream.Pause(2 * time.Second)
			}
			if tick == 202 {
				l.resend(v, &command{viewer: v, media: media.Video, sequence: stream.ring[v.first%ringSize].sequence})
			}
			before := l.batch.Totals().Packets
			if l.pass(5 * time.Millisecond); tick > 201 && tick < 590 && l.batch.Totals().Packets != before {
				t.Fatalf("%+v: something is sent %d ms after the pause began", c, (tick-200)*5)
			}
		}
		if f := figuresOf(t, v); f.Stalls != 1 || f.StalledMs < 1950 || f.StalledMs > 2200 || f.Video.Dropped+f.Video.Reordered != 0 || f.FramesComplete < 90 {
			t.Errorf("%+v: %+v", c, f)
		}
	}
}

func TestARepairIsAnRTXPacketWithTheOriginalNumber(t *testing.T) {
	socket, player := loopbackSocket(t), loopbackSocket(t)
	loop, err := Start(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer loop.Close()
	keyframeRequests := make(chan struct{}, 1)
	stream := NewLive(func() { keyframeRequests <- struct{}{} })
	stream.SetCodec(rtppayload.H264)
	profile := srtp.ProtectionProfileAeadAes128Gcm
	viewer := viewerOf(t, stream, player, profile)
	viewer.RepairType, viewer.TransportExtension = 103, [media.Kinds]uint8{5, 0}
	loop.Add(viewer)
	<-keyframeRequests // connected, and waits for a keyframe
	idr := []byte{0x65, 1, 2, 3}
	decrypt := keys(t, profile)
	stream.Push(media.Video, 101, 4600, true, idr)
	received(t, player, decrypt, 1)
	for range 2 {
		loop.Resend(viewer, media.Video, 101, 0)
	}
	again := received(t, player, decrypt, 2)
	for i, p := range again {
		transport := p.GetExtension(5)
		if p.PayloadType != 103 || p.SSRC != stream.RepairSSRC || p.Timestamp != 4600 || !p.Marker || p.SequenceNumber != uint16(i) ||
			len(transport) != 2 || binary.BigEndian.Uint16(transport) != uint16(i+1) {
			t.Errorf("repair %d: %+v, transport-wide number % x", i, p.Header, transport)
		}
		if len(p.Payload) != 6 || binary.BigEndian.Uint16(p.Payload) != 101 || string(p.Payload[2:]) != string(idr) {
			t.Errorf("repair %d contains % x", i, p.Payload)
		}
	}
}

func TestAboveItsCeilingAStreamStallsInEachCycle(t *testing.T) {
	synctest.Test(t, testAboveItsCeilingAStreamStallsInEachCycle)
}

func testAboveItsCeilingAStreamStallsInEachCycle(t *testing.T) {
	ceiling := conditions.Ceiling{DegradeFrom: 2}
	if f := figuresOf(t, playOver(t, conditions.Conditions{Ceiling: ceiling}, 20*time.Second)); f.Video.Dropped != 0 || f.Stalls != 0 {
		t.Errorf("below the ceiling: %+v", f)
	}
	l, stream, v := manualLoop(t, conditions.Conditions{Ceiling: ceiling})
	other := viewerOf(t, stream, loopbackSocket(t), srtp.ProtectionProfileAeadAes128Gcm)
	l.add(other)
	if percent, known := stream.BudgetPercent(); known {
		t.Errorf("%g %% of a missing budget are used", percent)
	}
	for range 3960 { // 19.8 s, eleven cycles
		l.pass(5 * time.Millisecond)
	}
	f := figuresOf(t, v)
	share := float64(f.Video.Dropped) / float64(f.Video.Sent)
	if share < 0.25 || share > 0.45 || f.Stalls < 6 || f.Stalls > 11 {
		t.Errorf("above the ceiling: %+v", f)
	}
	stream.mutex.Lock()
	sequence := stream.ring[v.first%ringSize].sequence
	stream.mutex.Unlock()
	before := l.batch.Totals().Packets
	again := command{kind: commandResend, viewer: v, media: stream.ring[v.first%ringSize].kind, sequence: sequence}
	l.resend(v, &again)
	if l.batch.Flush(); l.batch.Totals().Packets != before {
		t.Error("retransmissions are sent despite the overload")
	}
	l.remove(other)
	if stream.playing.Load() != 1 {
		t.Errorf("%d viewers after one was removed", stream.playing.Load())
	}
}
