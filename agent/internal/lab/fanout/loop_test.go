package fanout

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/srtp/v3"

	"fullhouse/agent/internal/lab/udp"
	"fullhouse/agent/internal/media"
	"fullhouse/agent/internal/media/rtppayload"
)

const sampleFolder = "../../../../assets/lab"

func loadSample(tb testing.TB) *media.Sample {
	tb.Helper()
	sample, err := media.LoadSample(sampleFolder, "sample-240p")
	if err != nil {
		tb.Fatal(err)
	}
	return sample
}

func keys(tb testing.TB, profile srtp.ProtectionProfile) *srtp.Context {
	tb.Helper()
	saltLen, err := profile.SaltLen()
	if err != nil {
		tb.Fatal(err)
	}
	context, err := srtp.CreateContext(make([]byte, 16), make([]byte, saltLen), profile)
	if err != nil {
		tb.Fatal(err)
	}
	return context
}

func loopbackSocket(tb testing.TB) *net.UDPConn {
	tb.Helper()
	socket, err := udp.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = socket.Close() })
	return socket
}

// received decrypts what arrives until it has count RTP packets.
func received(t *testing.T, socket *net.UDPConn, decrypt *srtp.Context, count int) []rtp.Packet {
	t.Helper()
	var packets []rtp.Packet
	buffer := make([]byte, 2048)
	if err := socket.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for len(packets) < count {
		n, err := socket.Read(buffer)
		if err != nil {
			t.Fatalf("after %d packets: %v", len(packets), err)
		}
		if buffer[1] == uint8(rtcp.TypeSenderReport) {
			continue
		}
		plain, err := decrypt.DecryptRTP(nil, buffer[:n], nil)
		if err != nil {
			t.Fatal(err)
		}
		var p rtp.Packet
		if err := p.Unmarshal(plain); err != nil {
			t.Fatal(err)
		}
		packets = append(packets, p)
	}
	return packets
}

func viewerOf(tb testing.TB, s *Stream, to *net.UDPConn, profile srtp.ProtectionProfile) *Viewer {
	tb.Helper()
	v := &Viewer{Stream: s, Keys: keys(tb, profile), PayloadType: [media.Kinds]uint8{102, 111}}
	v.To.Store(udp.NewDestination(to.LocalAddr().(*net.UDPAddr).AddrPort()))
	return v
}

func TestViewersOfTheSampleStartAtAKeyframeWithoutAGap(t *testing.T) {
	for _, profile := range []srtp.ProtectionProfile{srtp.ProtectionProfileAeadAes128Gcm, srtp.ProtectionProfileAes128CmHmacSha1_80} {
		socket, player := loopbackSocket(t), loopbackSocket(t)
		loop, err := Start(socket)
		if err != nil {
			t.Fatal(err)
		}
		stream := NewSample(loadSample(t))
		stream.started = stream.started.Add(-time.Minute - 700*time.Millisecond) // as if it had played for long
		viewer := viewerOf(t, stream, player, profile)
		loop.Add(viewer)
		packets := received(t, player, keys(t, profile), 60)
		loop.Close()
		if first := packets[0]; first.PayloadType != 102 || first.SSRC != stream.SSRC[media.Video] || first.Payload[0]&0x1f != 24 {
			t.Errorf("the first packet is not the parameter sets of a keyframe: %v", first)
		}
		last := map[uint8]rtp.Packet{}
		for _, p := range packets {
			if before, known := last[p.PayloadType]; known && p.SequenceNumber != before.SequenceNumber+1 {
				t.Errorf("payload type %d: sequence %d follows %d", p.PayloadType, p.SequenceNumber, before.SequenceNumber)
			}
			last[p.PayloadType] = p
		}
		if totals := loop.Totals(); totals.Packets < 60 || totals.Errors != 0 {
			t.Errorf("totals %+v", totals)
		}
	}
}

func TestTheLoopOfTheSampleIsSeamless(t *testing.T) {
	sample := loadSample(t)
	stream := NewSample(sample)
	var before [media.Kinds]*packet
	position := uint64(0)
	for now := int64(0); now < int64(3*sample.Duration); now += int64(time.Second) {
		stream.fillSample(now)
		for ; position < stream.head; position++ {
			p := stream.ring[position%ringSize]
			if last := before[p.kind]; last != nil {
				step := p.timestamp - last.timestamp
				if p.sequence != last.sequence+1 || step != 0 && step != 3600 && step != 2880 {
					t.Fatalf("%s at %s: sequence %d after %d, timestamp step %d", p.kind, time.Duration(p.due), p.sequence, last.sequence, step)
				}
				if uint64(p.due-last.due) != uint64(step)*uint64(time.Second)/uint64(p.kind.ClockRate()) {
					t.Fatalf("%s at %s: timestamps and times disagree", p.kind, time.Duration(p.due))
				}
			}
			before[p.kind] = &p
		}
	}
	if loops := stream.figures.Packets / uint64(len(sample.Packets)); loops < 2 {
		t.Errorf("only %d loops were played", loops)
	}
}

func TestTheSampleContinuesAfterARest(t *testing.T) {
	stream := NewSample(loadSample(t))
	stream.fillSample(0)
	stream.fillSample(int64(1000 * time.Second))
	if kept := stream.head - stream.tail; kept == 0 || kept > 400 {
		t.Errorf("%d packets after a rest, want a few seconds' worth", kept)
	}
	if _, found := stream.latestKeyframe(int64(1000 * time.Second)); !found {
		t.Error("no keyframe for a new viewer")
	}
	first, last := stream.ring[stream.tail%ringSize], stream.ring[(stream.head-1)%ringSize]
	if first.due < int64(995*time.Second) || last.due < int64(1000*time.Second) {
		t.Errorf("packets from %s to %s", time.Duration(first.due), time.Duration(last.due))
	}
}

func TestALiveViewerWaitsForAKeyframeAndGetsLostPacketsAgain(t *testing.T) {
	socket, player := loopbackSocket(t), loopbackSocket(t)
	loop, err := Start(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer loop.Close()
	keyframeRequests := make(chan struct{}, 1)
	stream := NewLive(func() { keyframeRequests <- struct{}{} })
	stream.SetCodec(rtppayload.H264)
	idr, slice := []byte{0x65, 0x88, 2, 3}, []byte{0x41, 4, 5, 6}
	stream.Push(media.Video, 99, 500, true, slice)
	profile := srtp.ProtectionProfileAeadAes128Gcm
	viewer := viewerOf(t, stream, player, profile)
	loop.Add(viewer)
	<-keyframeRequests
	stream.Push(media.Video, 100, 1000, true, slice)
	stream.Push(media.Video, 101, 4600, true, idr)
	stream.Push(media.Video, 102, 8200, true, slice)
	decrypt := keys(t, profile)
	packets := received(t, player, decrypt, 2)
	if packets[0].SequenceNumber != 101 || packets[1].SequenceNumber != 102 {
		t.Fatalf("got %d and %d, want the keyframe 101 and 102", packets[0].SequenceNumber, packets[1].SequenceNumber)
	}
	loop.Resend(viewer, media.Video, 100, 1|2) // 100 was sent before this viewer started; 101 and 102 after
	again := received(t, player, keys(t, profile), 2)
	if again[0].SequenceNumber != 101 || again[1].SequenceNumber != 102 || string(again[0].Payload) != string(idr) {
		t.Errorf("the NACK returned %v", again)
	}
}

func BenchmarkTick(b *testing.B) {
	for name, profile := range map[string]srtp.ProtectionProfile{"GCM": srtp.ProtectionProfileAeadAes128Gcm, "CM-SHA1": srtp.ProtectionProfileAes128CmHmacSha1_80} {
		b.Run(name, func(b *testing.B) {
			socket := loopbackSocket(b)
			l := newLoop()
			var err error
			if l.batch, err = udp.NewBatch(socket); err != nil {
				b.Fatal(err)
			}
			stream := NewSample(loadSample(b))
			for range 1000 {
				l.add(viewerOf(b, stream, socket, profile)) // the socket buffer overflows, which costs nothing here
			}
			const step = 40 * time.Millisecond
			stream.started = stream.started.Add(-step)
			l.tick()
			before := l.batch.Totals().Packets
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				stream.started = stream.started.Add(-step)
				l.tick()
			}
			packets := float64(l.batch.Totals().Packets - before)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/packets, "ns/packet")
			b.ReportMetric(packets/float64(b.N), "packets/op")
		})
	}
}
