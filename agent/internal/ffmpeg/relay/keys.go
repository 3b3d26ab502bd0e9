package relay

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1" // what the specification of SRT derives keys with
	"crypto/subtle"
	"encoding/binary"
	"slices"
)

// The parts of a message about keys (draft-sharabayko-srt, 3.2.2).
const (
	atSaltSize, atKeySize, atSalt = 14, 15, 16
	saltSize                      = 16
	iterations                    = 2048
	wrapOverhead                  = 8
	maxKeyMessage                 = 128
)

// rewrapped is a message about keys whose keys are encrypted by another passphrase; nil if it can't be read.
func rewrapped(message []byte, from, to string) []byte {
	if len(message) < atSalt+saltSize || len(message) > maxKeyMessage || message[atSaltSize]*4 != saltSize {
		return nil
	}
	salt, wrapped, keySize := message[atSalt:atSalt+saltSize], message[atSalt+saltSize:], int(message[atKeySize])*4
	keys := unwrap(keyOf(from, salt, keySize), wrapped)
	again := wrap(keyOf(to, salt, keySize), keys)
	if keys == nil || again == nil {
		return nil
	}
	return append(slices.Clone(message[:atSalt+saltSize]), again...)
}

// keyOf is the cipher that encrypts keys; nil for an impossible size.
func keyOf(passphrase string, salt []byte, size int) cipher.Block {
	key, err := pbkdf2.Key(sha1.New, passphrase, salt[saltSize/2:], iterations, size)
	if err != nil {
		return nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	return block
}

// initial starts each wrapped text (RFC 3394, 2.2.3.1).
var initial = []byte{0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6}

// wrap encrypts keys (RFC 3394, 2.2.1).
func wrap(block cipher.Block, keys []byte) []byte {
	count := len(keys) / 8
	if block == nil || count < 2 || len(keys)%8 != 0 {
		return nil
	}
	out := append(slices.Clone(initial), keys...)
	var one [aes.BlockSize]byte
	for round := range 6 {
		for i := 1; i <= count; i++ {
			copy(one[:8], out[:8])
			copy(one[8:], out[8*i:])
			block.Encrypt(one[:], one[:])
			binary.BigEndian.PutUint64(out, binary.BigEndian.Uint64(one[:])^uint64(count*round+i))
			copy(out[8*i:8*i+8], one[8:])
		}
	}
	return out
}

// unwrap decrypts keys (RFC 3394, 2.2.2); nil if they were encrypted otherwise.
func unwrap(block cipher.Block, wrapped []byte) []byte {
	count := len(wrapped)/8 - 1
	if block == nil || count < 2 || len(wrapped)%8 != 0 {
		return nil
	}
	out := slices.Clone(wrapped)
	var one [aes.BlockSize]byte
	for round := 5; round >= 0; round-- {
		for i := count; i >= 1; i-- {
			binary.BigEndian.PutUint64(one[:], binary.BigEndian.Uint64(out)^uint64(count*round+i))
			copy(one[8:], out[8*i:])
			block.Decrypt(one[:], one[:])
			copy(out[:8], one[:8])
			copy(out[8*i:8*i+8], one[8:])
		}
	}
	if subtle.ConstantTimeCompare(out[:wrapOverhead], initial) == 0 {
		return nil
	}
	return out[wrapOverhead:]
}
