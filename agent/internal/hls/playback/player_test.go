package playback

import (
	"sync/atomic"
	"testing"
	"time"
)

const second = int64(time.Second)

func frames(count int64) *atomic.Int64 {
	var known atomic.Int64
	known.Store(count)
	return &known
}

func piece(seconds float64, count int64, at int64) Piece {
	return Piece{Duration: time.Duration(seconds * float64(second)), Frames: frames(count), At: at}
}

func TestAPlayerStartsWithTheFirstPieceAndPlaysAtItsOwnSpeed(t *testing.T) {
	var p Player
	p.Advance(5 * second)
	if p.StartedAt != 0 || p.Frames() != 0 {
		t.Fatal("started without media")
	}
	p.Append(piece(2, 50, 100*second), 10*second)
	p.Append(piece(2, 100, 102*second), 10*second)
	p.Advance(11 * second)
	if p.StartedAt != 10*second || p.Frames() != 25 || p.Ahead() != 3*time.Second {
		t.Errorf("%+v", p)
	}
	if behind, isKnown := p.Behind(time.Unix(104, 0)); !isKnown || behind != 3*second {
		t.Errorf("%v behind", behind)
	}
	p.Advance(13 * second)
	if p.Frames() != 100 || p.Rebufferings != 0 {
		t.Errorf("%+v", p)
	}
}

func TestAnEmptyBufferIsAStallUntilMediaIsAppended(t *testing.T) {
	var p Player
	p.Append(piece(2, 50, 0), 0)
	p.Advance(2*second + second/4)
	if p.Rebufferings != 1 || p.RebufferingFor(2*second+second/4) != second/4 || p.Stalls != 0 {
		t.Errorf("%+v", p)
	}
	p.Append(piece(2, 50, 0), 2*second+second/4) // shorter than a stall
	if p.Stalls != 0 || p.RebufferedNs != second/4 || p.TakeLongest() != second/4 {
		t.Errorf("%+v", p)
	}
	p.Advance(6 * second)
	if gap := p.RebufferingFor(6 * second); gap != 1750*int64(time.Millisecond) || p.Stalls != 1 || p.StalledUntil(6*second) != gap {
		t.Errorf("%v, %+v", gap, p)
	}
	p.Append(piece(2, 50, 0), 7*second)
	if p.Stalls != 1 || p.Rebufferings != 2 || p.StalledNs != 2750*int64(time.Millisecond) || p.RebufferedNs != 3*second || p.RebufferingFor(7*second) != 0 {
		t.Errorf("%+v", p)
	}
	if p.FreezeCount != 2 || p.FreezeMs != 290+2790 { // each with a frame
		t.Errorf("%d freezes of %d ms", p.FreezeCount, p.FreezeMs)
	}
	p.Advance(8 * second)
	if p.Frames() != 125 {
		t.Errorf("%d frames", p.Frames())
	}
}

func TestLittleMediaDoesNotEndAStall(t *testing.T) {
	var p Player
	p.Append(piece(1, 25, 0), 0)
	p.Advance(2 * second)
	p.Append(piece(0.05, 1, 0), 2*second)
	if p.RebufferingFor(3*second) != 2*second {
		t.Errorf("%+v", p)
	}
	p.Append(piece(0.05, 1, 0), 3*second)
	if p.RebufferingFor(3*second) != 0 {
		t.Errorf("%+v", p)
	}
}

func TestSeparateAudioIsWaitedFor(t *testing.T) {
	var p Player
	p.HasSeparateAudio()
	p.Append(piece(4, 100, 0), 0)
	if p.StartedAt != 0 {
		t.Fatal("started without audio")
	}
	p.AppendAudio(time.Second, second)
	p.Advance(3 * second)
	if p.StartedAt != second || p.Rebufferings != 1 || p.RebufferingFor(3*second) != second || p.AheadOfVideo() != 3*time.Second || p.AheadOfAudio() != 0 {
		t.Errorf("%+v", p)
	}
	p.AppendAudio(time.Second, 3*second)
	p.Advance(3*second + second/2)
	if p.Frames() != 37 {
		t.Errorf("%d frames", p.Frames())
	}
}

func TestUnknownFramesAreEstimatedByThoseBeforeAndNeverDecrease(t *testing.T) {
	var p Player
	late := frames(-1)
	p.Append(piece(1, 30, 0), 0)
	p.Append(Piece{Duration: 2 * time.Second, Frames: late}, 0)
	p.Advance(2 * second)
	if p.Frames() != 60 {
		t.Errorf("%d frames", p.Frames())
	}
	late.Store(20)
	p.Advance(2*second + second/2)
	if p.Frames() != 60 {
		t.Errorf("%d frames", p.Frames())
	}
	p.Advance(3 * second)
	if p.Frames() != 60 {
		t.Errorf("%d frames at the end", p.Frames())
	}
}
