package relay

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// passedOptions are the options of an address that ffmpeg's SRT keeps; the stream's id and the passphrase stay here.
var passedOptions = []string{
	"connect_timeout", "enforced_encryption", "ffs", "inputbw", "iptos", "ipttl", "kmpreannounce", "kmrefreshrate", "latency",
	"linger", "lossmaxttl", "maxbw", "messageapi", "minversion", "mss", "nakreport", "oheadbw", "payload_size", "pbkeylen",
	"peerlatency", "pkt_size", "rcvbuf", "rcvlatency", "recv_buffer_size", "send_buffer_size", "sndbuf", "snddropdelay",
	"timeout", "tlpktdrop", "transtype", "tsbpd",
}

// The parts of a packet of SRT (draft-sharabayko-srt, 3.2).
const (
	header        = 16
	handshakeSize = 48
	// Offsets within a handshake.
	atVersion, atExtensions, atKind = header, header + 6, header + 20
	conclusion                      = 0xffffffff
	// Types of control packets.
	isControl         = 0x80
	typeHandshake     = 0
	typeExtended      = 0x7fff
	extensionKeys     = 3
	extensionKeysBack = 4
	extensionStreamID = 5
	flagStreamID      = 4
	maxPacket         = 2048
)

// srt is the relay of one connection.
type srt struct {
	*Relay
	streamID string
	// own is the passphrase between ffmpeg and the relay, used once; theirs is the server's.
	own, theirs string
	// sent are the keys for the server, and those of ffmpeg for which they stand.
	sent, instead []byte
}

func openSRT(target *url.URL) (*Relay, error) {
	query, passed := target.Query(), url.Values{}
	for name, values := range query {
		if slices.Contains(passedOptions, name) {
			passed[name] = values
		}
	}
	r := &srt{Relay: &Relay{}, theirs: query.Get("passphrase"), streamID: query.Get("streamid")}
	if r.streamID == "" {
		r.streamID = query.Get("srt_streamid")
	}
	if r.theirs != "" {
		r.own = random()
		passed.Set("passphrase", r.own)
	}
	local, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.Address, r.close = "srt://"+local.LocalAddr().String(), cancel
	if len(passed) > 0 {
		r.Address += "?" + passed.Encode()
	}
	context.AfterFunc(ctx, func() { _ = local.Close() })
	go func() {
		defer cancel()
		r.run(ctx, local, target.Host)
	}()
	return r.Relay, nil
}

// run takes the packets of the first program of this user that sends any.
func (r *srt) run(ctx context.Context, local *net.UDPConn, host string) {
	buffer := make([]byte, maxPacket)
	var ffmpeg netip.AddrPort
	var server net.Conn
	for {
		size, from, err := local.ReadFromUDPAddrPort(buffer[:])
		if err != nil {
			return
		}
		if server == nil {
			if !isOwn(from) {
				continue
			}
			var dialer net.Dialer
			if server, err = dialer.DialContext(ctx, "udp", host); err != nil {
				r.fail(err)
				return
			}
			ffmpeg = from
			defer server.Close()
			context.AfterFunc(ctx, func() { _ = server.Close() })
			go r.back(ctx, server, local, ffmpeg)
		}
		if from == ffmpeg {
			_, _ = server.Write(r.toServer(buffer[:size])) // a lost packet: SRT repeats it
		}
	}
}

func (r *srt) back(ctx context.Context, server net.Conn, local *net.UDPConn, ffmpeg netip.AddrPort) {
	buffer := make([]byte, maxPacket)
	for ctx.Err() == nil {
		// While the server does not listen, reading fails for each packet that was sent.
		if size, err := server.Read(buffer); err == nil {
			_, _ = local.WriteToUDPAddrPort(r.toFFmpeg(buffer[:size]), ffmpeg) // as above
		}
	}
}

// toServer adds the stream's id to ffmpeg's handshake, and replaces the keys.
func (r *srt) toServer(packet []byte) []byte {
	return changed(packet, extensionKeys, func(keys []byte) []byte {
		if r.theirs == "" {
			return keys
		}
		wrapped := rewrapped(keys, r.own, r.theirs)
		if wrapped == nil {
			return keys
		}
		r.mutex.Lock()
		r.sent, r.instead = wrapped, bytes.Clone(keys)
		r.mutex.Unlock()
		return wrapped
	}, r.streamID)
}

// toFFmpeg replaces the keys that the server has confirmed.
func (r *srt) toFFmpeg(packet []byte) []byte {
	return changed(packet, extensionKeysBack, func(keys []byte) []byte {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		if bytes.Equal(keys, r.sent) {
			return r.instead
		}
		return keys
	}, "")
}

// changed is a packet with other keys, in a handshake with a stream's id in addition; all other packets are unchanged.
func changed(packet []byte, keysAt uint16, change func([]byte) []byte, streamID string) []byte {
	if len(packet) < header || packet[0]&isControl == 0 {
		return packet
	}
	kind, subtype := binary.BigEndian.Uint16(packet)&^(isControl<<8), binary.BigEndian.Uint16(packet[2:])
	if kind == typeExtended && subtype == keysAt {
		return append(slices.Clone(packet[:header]), change(packet[header:])...)
	}
	if kind != typeHandshake || len(packet) < header+handshakeSize || binary.BigEndian.Uint32(packet[atVersion:]) != 5 ||
		binary.BigEndian.Uint32(packet[atKind:]) != conclusion {
		return packet
	}
	out := slices.Clone(packet[:header+handshakeSize])
	for rest := packet[header+handshakeSize:]; len(rest) >= 4; {
		id, size := binary.BigEndian.Uint16(rest), 4*int(binary.BigEndian.Uint16(rest[2:]))
		if len(rest) < 4+size {
			return packet
		}
		content := rest[4 : 4+size]
		if id == keysAt {
			content = change(content)
		}
		out = appendExtension(out, id, content)
		rest = rest[4+size:]
	}
	if streamID != "" {
		out = appendExtension(out, extensionStreamID, reversedWords(streamID))
		binary.BigEndian.PutUint16(out[atExtensions:], binary.BigEndian.Uint16(out[atExtensions:])|flagStreamID)
	}
	return out
}

func appendExtension(to []byte, id uint16, content []byte) []byte {
	to = binary.BigEndian.AppendUint16(to, id)
	to = binary.BigEndian.AppendUint16(to, uint16(len(content)/4))
	return append(to, content...)
}

// reversedWords are a text's bytes, each four in reverse order, as the specification has it (3.2.1.3).
func reversedWords(text string) []byte {
	bytes := []byte(text + strings.Repeat("\x00", (4-len(text)%4)%4))
	for word := range slices.Chunk(bytes, 4) {
		slices.Reverse(word)
	}
	return bytes
}
