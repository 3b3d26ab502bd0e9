// Package selftest measures how fast this machine is at the most expensive work of viewers: receiving datagrams and
// checking some of them.
package selftest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"net"
	"time"

	"fullhouse/agent/internal/process"
	"fullhouse/agent/internal/protocol"
)

const (
	// packetBytes is the mean size of a media packet at 170 kbit/s and 60 packets a second.
	packetBytes = 350
	// batch fits into any receive buffer, so that nothing is dropped.
	batch = 32
	// decryptEach: a viewer decrypts one packet in five hundred by default; the figure includes the cipher's share.
	decryptEach = 8
)

// Run sends packets to itself over loopback and receives them, with one thread active at a time, for the duration.
func Run(ctx context.Context, duration time.Duration) (result protocol.SelfTestResult, err error) {
	receiver, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return protocol.SelfTestResult{}, fmt.Errorf("opening the self-test's socket failed: %w", err)
	}
	defer func() { err = errors.Join(err, receiver.Close()) }()
	sender, err := net.DialUDP("udp4", nil, receiver.LocalAddr().(*net.UDPAddr))
	if err != nil {
		return protocol.SelfTestResult{}, fmt.Errorf("opening the self-test's socket failed: %w", err)
	}
	defer func() { err = errors.Join(err, sender.Close()) }()
	if err := receiver.SetReadDeadline(time.Now().Add(duration + time.Second)); err != nil {
		return protocol.SelfTestResult{}, fmt.Errorf("setting the self-test's deadline failed: %w", err)
	}
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		return protocol.SelfTestResult{}, err
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		return protocol.SelfTestResult{}, err
	}
	nonce := make([]byte, sealer.NonceSize())
	packet := sealer.Seal(nil, nonce, make([]byte, packetBytes-sealer.Overhead()), nil)
	received := make([]byte, packetBytes)
	plain := make([]byte, 0, packetBytes)

	startCPU, hasCPU := process.CPUTime()
	start := time.Now()
	for time.Since(start) < duration && ctx.Err() == nil {
		for range batch {
			if _, err := sender.Write(packet); err != nil {
				return protocol.SelfTestResult{}, fmt.Errorf("sending over loopback failed: %w", err)
			}
		}
		for at := range batch {
			if _, err := receiver.Read(received); err != nil {
				return protocol.SelfTestResult{}, fmt.Errorf("receiving over loopback failed: %w", err)
			}
			if at%decryptEach == 0 {
				if _, err := sealer.Open(plain, nonce, received, nil); err != nil {
					return protocol.SelfTestResult{}, fmt.Errorf("the self-test received a different packet than it sent: %w", err)
				}
			}
		}
		result.Packets += batch
	}
	result.WallMs = milliseconds(time.Since(start))
	if endCPU, ok := process.CPUTime(); ok && hasCPU {
		spent := milliseconds(endCPU - startCPU)
		result.CPUMs = &spent
	}
	return result, ctx.Err()
}

func milliseconds(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}
