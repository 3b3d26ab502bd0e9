package content

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"errors"
)

// KeyBytes is the length of a key of AES-128.
const KeyBytes = aes.BlockSize

// Cipher is how a segment is encrypted as a whole: AES-128 in CBC mode with PKCS #7 padding (RFC 8216, 4.3.2.4).
type Cipher struct{ Key, IV [KeyBytes]byte }

var errDecryption = errors.New("the segment is not valid AES-128 with the key that the playlist names")

// Decrypt decrypts a whole resource.
func (c *Cipher) Decrypt(data []byte) ([]byte, error) {
	d := c.decrypter()
	plain := bytes.Clone(d.next(data))
	last, err := d.end()
	return append(plain, last...), err
}

func (c *Cipher) decrypter() *decrypter {
	block, err := aes.NewCipher(c.Key[:])
	if err != nil {
		panic(err) // only for another length of the key
	}
	return &decrypter{mode: cipher.NewCBCDecrypter(block, c.IV[:])}
}

// decrypter decrypts in pieces of any size. Its last block is held back, since it has the padding.
type decrypter struct {
	mode    cipher.BlockMode
	pending []byte // encrypted: up to one block
	plain   []byte
}

// next returns what can be decrypted so far; it is valid until the next call.
func (d *decrypter) next(data []byte) []byte {
	d.pending = append(d.pending, data...)
	ready := max(0, len(d.pending)-1) / aes.BlockSize * aes.BlockSize
	d.plain = append(d.plain[:0], d.pending[:ready]...)
	d.mode.CryptBlocks(d.plain, d.plain)
	d.pending = append(d.pending[:0], d.pending[ready:]...)
	return d.plain
}

// end returns the rest, without the padding.
func (d *decrypter) end() ([]byte, error) {
	if len(d.pending) != aes.BlockSize {
		return nil, errDecryption
	}
	d.mode.CryptBlocks(d.pending, d.pending)
	padding := int(d.pending[aes.BlockSize-1])
	if padding == 0 || padding > aes.BlockSize {
		return nil, errDecryption
	}
	rest, pad := d.pending[:aes.BlockSize-padding], d.pending[aes.BlockSize-padding:]
	if bytes.Count(pad, pad[:1]) != padding {
		return nil, errDecryption
	}
	return rest, nil
}
