package relay

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"crypto/aes"

	"fullhouse/agent/internal/childprocess"
	"fullhouse/agent/internal/testing/mediaservers"
)

// The examples of RFC 3394, 4.1, and of RFC 2069, 2.4 with its erratum: its form has no nonce of our own.
func TestKeysAndDigestsAreThoseOfTheRFCs(t *testing.T) {
	unhex := func(text string) []byte { data, _ := hex.DecodeString(text); return data }
	block, err := aes.NewCipher(unhex("000102030405060708090A0B0C0D0E0F"))
	if err != nil {
		t.Fatal(err)
	}
	keys, wrapped := unhex("00112233445566778899AABBCCDDEEFF"), unhex("1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5")
	if got := wrap(block, keys); !bytes.Equal(got, wrapped) {
		t.Errorf("%x", got)
	}
	if got := unwrap(block, wrapped); !bytes.Equal(got, keys) {
		t.Errorf("%x", got)
	}
	wrapped[3]++
	if got := unwrap(block, wrapped); got != nil {
		t.Errorf("%x of a changed text", got)
	}
	c := credentials{user: "Mufasa", password: "CircleOfLife"}
	if !c.challenge(&message{headers: []string{`WWW-Authenticate: Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc"`}}) {
		t.Fatal("it has no answer")
	}
	if got := c.authorize("GET", "/dir/index.html"); !strings.Contains(got, `response="1949323746fe6a43ef61f9606e7febea"`) || !strings.Contains(got, `opaque="5ccc"`) {
		t.Error(got)
	}
	if (&credentials{}).challenge(&message{headers: []string{`WWW-Authenticate: Basic realm="x"`}}) {
		t.Error("no login answers a challenge")
	}
}

// handshakeOf is the stream's id in the handshake of an ffmpeg that publishes to an address, as a listener gets it.
func handshakeOf(t *testing.T, listener *net.UDPConn, address string) []byte {
	t.Helper()
	command := childprocess.Command(mediaservers.FFmpeg(t), "-v", "quiet", "-nostdin", "-re", "-f", "lavfi", "-i", "testsrc", "-c:v", "mpeg2video", "-f", "mpegts", address)
	defer mediaservers.Start(t, command)()
	buffer := make([]byte, maxPacket)
	if err := listener.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	for {
		size, from, err := listener.ReadFromUDPAddrPort(buffer)
		if err != nil {
			t.Fatal(err)
		}
		packet := buffer[:size]
		if size < header+handshakeSize || binary.BigEndian.Uint32(packet) != 0x80000000 {
			continue
		}
		if binary.BigEndian.Uint32(packet[atKind:]) == conclusion {
			for rest := packet[header+handshakeSize:]; len(rest) > 4; rest = rest[4+4*int(binary.BigEndian.Uint16(rest[2:])):] {
				if binary.BigEndian.Uint16(rest) == extensionStreamID {
					if binary.BigEndian.Uint16(packet[atExtensions:])&flagStreamID == 0 {
						t.Error("the handshake does not announce the stream's id")
					}
					return bytes.Clone(rest[:4+4*int(binary.BigEndian.Uint16(rest[2:]))])
				}
			}
			return nil
		}
		// The response to an induction: version 5, SRT's magic number, a cookie.
		copy(packet[12:16], packet[header+24:header+28])
		binary.BigEndian.PutUint32(packet[atVersion:], 5)
		binary.BigEndian.PutUint32(packet[atVersion+4:], 0x4a17)
		binary.BigEndian.PutUint32(packet[header+28:], 0x1234)
		if _, err := listener.WriteToUDPAddrPort(packet, from); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheStreamIDIsThatOfLibsrt(t *testing.T) {
	for _, id := range []string{"cam", "#!::r=live/cam,m=publish", strings.Repeat("k", 512)} {
		listener, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		address := "srt://" + listener.LocalAddr().String() + "?streamid=" + url.QueryEscape(id)
		direct := handshakeOf(t, listener, "srt://"+listener.LocalAddr().String()+"?streamid="+id)
		target, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		relay, err := Open(target)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(relay.Address, id) {
			t.Error(relay.Address)
		}
		if relayed := handshakeOf(t, listener, relay.Address); len(direct) == 0 || !bytes.Equal(direct, relayed) {
			t.Errorf("%q instead of %q", relayed, direct)
		}
		relay.Close()
		_ = listener.Close()
	}
}

// Packets are of a server: whatever they hold, they pass or are changed within their bounds.
func FuzzPackets(f *testing.F) {
	f.Add([]byte("\x80\x00\x00\x00" + strings.Repeat("\x00", 12) + "\x00\x00\x00\x05\x00\x02\x00\x02" + strings.Repeat("\xff", 40) + "\x00\x03\x00\x01abcd"))
	f.Add([]byte("\xff\xff\x00\x03" + strings.Repeat("\x04", 90)))
	f.Fuzz(func(t *testing.T, packet []byte) {
		r := &srt{Relay: &Relay{}, own: "ownpassphrase", theirs: "theirpassphrase", streamID: "cam"}
		for _, out := range [][]byte{r.toServer(packet), r.toFFmpeg(packet)} {
			if len(out) < min(len(packet), header) || len(out) > len(packet)+64 {
				t.Errorf("%d bytes of %d", len(out), len(packet))
			}
		}
	})
}

// FuzzMessages reads what a server may answer.
func FuzzMessages(f *testing.F) {
	f.Add("RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\", qop=\"auth\"\r\nContent-Length: 2\r\n\r\nab")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readMessage(newReader(text))
		if err == nil && len(got.String()) > len(text)+8 {
			t.Errorf("%d bytes of %d", len(got.String()), len(text))
		}
		if err == nil {
			c := credentials{user: "u", password: "p"}
			c.challenge(got)
			_, _ = c.authorize("ANNOUNCE", "rtsp://h/cam"), got.status()
		}
	})
}

// Another user's program can reach the socket; the first connection of this user is the only one.
func TestARelayTakesOneConnection(t *testing.T) {
	target, _ := url.Parse("rtsp://u:p@127.0.0.1:1/in")
	relay, err := Open(target)
	if err != nil {
		t.Fatal(err)
	}
	defer relay.Close()
	at, _ := url.Parse(relay.Address)
	first, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		second, err := net.Dial("tcp", at.Host)
		if err != nil {
			return // nothing listens any more
		}
		_ = second.Close()
		if time.Now().After(end) {
			t.Fatal("a second connection is possible")
		}
	}
}

func newReader(text string) *bufio.Reader {
	return bufio.NewReaderSize(strings.NewReader(text), maxHead)
}
