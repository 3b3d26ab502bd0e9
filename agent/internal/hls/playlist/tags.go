package playlist

import (
	"crypto/aes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// ErrEncrypted is the error of a stream that viewers can't read: DRM, or SAMPLE-AES.
var ErrEncrypted = errors.New("the stream is encrypted in a way that these viewers do not support")

// maxSeconds bounds all durations: a day.
const maxSeconds = 86_400

func (p *parser) tag(line string) error {
	name, value, _ := strings.Cut(line, ":")
	switch name {
	case "#EXT-X-STREAM-INF":
		p.variant = variantOf(attributes(value))
	case "#EXT-X-MEDIA":
		return p.rendition(attributes(value))
	case "#EXT-X-TARGETDURATION":
		return seconds(value, &p.result.TargetDuration)
	case "#EXT-X-MEDIA-SEQUENCE":
		sequence, err := strconv.ParseInt(value, 10, 64)
		if err != nil || sequence < 0 || sequence > math.MaxInt64/2 {
			return fmt.Errorf("EXT-X-MEDIA-SEQUENCE is invalid")
		}
		p.sequence = sequence
	case "#EXTINF":
		text, _, _ := strings.Cut(value, ",")
		p.hasDuration = true
		return seconds(text, &p.next.Duration)
	case "#EXT-X-BYTERANGE":
		return byteRange(value, &p.next.Resource)
	case "#EXT-X-DISCONTINUITY":
		p.next.Discontinuity = true
	case "#EXT-X-GAP":
		p.next.IsGap = true
	case "#EXT-X-PROGRAM-DATE-TIME":
		if at, ok := dateTime(value); ok {
			p.next.At = at
		}
	case "#EXT-X-ENDLIST":
		p.result.HasEnded = true
	case "#EXT-X-KEY":
		return p.encryption(attributes(value))
	case "#EXT-X-MAP":
		resource, err := p.resource(attributes(value), "BYTERANGE")
		if err != nil {
			return err
		}
		p.current, p.mapKey = &resource, p.key
	default:
		return p.lowLatencyTag(name, value)
	}
	return nil
}

// encryption handles EXT-X-KEY: whole segments encrypted with a key that the server hands out.
func (p *parser) encryption(of map[string]string) error {
	method, format := of["METHOD"], of["KEYFORMAT"]
	if method == "" || method == "NONE" {
		p.key = nil
		return nil
	}
	if method != "AES-128" || format != "" && format != "identity" {
		return fmt.Errorf("%w (%s)", ErrEncrypted, strings.TrimSpace(method+" "+format))
	}
	if of["URI"] == "" {
		return errors.New("the address of a key is invalid")
	}
	target, err := p.resolve(of["URI"])
	if err != nil {
		return err
	}
	key := &Key{URL: target}
	if text := of["IV"]; text != "" {
		digits, isHex := strings.CutPrefix(strings.ToLower(text), "0x")
		if key.IV, err = hex.DecodeString(digits); err != nil || !isHex || len(key.IV) != aes.BlockSize {
			return errors.New("the initialization vector of a key is invalid")
		}
	}
	p.key = key
	return nil
}

// lowLatencyTag handles the tags of low-latency HLS.
func (p *parser) lowLatencyTag(name, value string) error {
	switch name {
	case "#EXT-X-PART-INF":
		return seconds(attributes(value)["PART-TARGET"], &p.result.PartTarget)
	case "#EXT-X-SERVER-CONTROL":
		control := attributes(value)
		p.result.CanBlockReload = control["CAN-BLOCK-RELOAD"] == "YES"
		return errors.Join(optionalSeconds(control["HOLD-BACK"], &p.result.HoldBack),
			optionalSeconds(control["PART-HOLD-BACK"], &p.result.PartHoldBack))
	case "#EXT-X-PART":
		if p.key != nil {
			return fmt.Errorf("%w (parts with AES-128)", ErrEncrypted)
		}
		of := attributes(value)
		part := Part{IsIndependent: of["INDEPENDENT"] == "YES", IsGap: of["GAP"] == "YES"}
		var err error
		if part.Resource, err = p.resource(of, "BYTERANGE"); err != nil {
			return err
		}
		p.next.Parts = append(p.next.Parts, part)
		return seconds(of["DURATION"], &p.next.Parts[len(p.next.Parts)-1].Duration)
	case "#EXT-X-PRELOAD-HINT":
		of := attributes(value)
		if of["TYPE"] != "PART" {
			return nil
		}
		target, err := p.resolve(of["URI"])
		if err != nil {
			return err
		}
		hint := &Part{Resource: Resource{URL: target}}
		hint.Offset, _ = strconv.ParseInt(of["BYTERANGE-START"], 10, 64)
		hint.Length, _ = strconv.ParseInt(of["BYTERANGE-LENGTH"], 10, 64)
		if hint.Offset < 0 || hint.Length < 0 {
			return errors.New("the byte range of a preload hint is invalid")
		}
		p.result.Hint = hint
	}
	return nil
}

func (p *parser) rendition(of map[string]string) error {
	one := Rendition{Kind: of["TYPE"], Group: of["GROUP-ID"], IsDefault: of["DEFAULT"] == "YES"}
	if text := of["URI"]; text != "" {
		target, err := p.resolve(text)
		if err != nil {
			return err
		}
		one.URL = target
	} else if err := p.left.Entries("entries", 1); err != nil {
		return err
	}
	p.result.Renditions = append(p.result.Renditions, one)
	return nil
}

func (p *parser) resource(of map[string]string, rangeKey string) (Resource, error) {
	if of["URI"] == "" {
		return Resource{}, errors.New("an address in the playlist is invalid")
	}
	target, err := p.resolve(of["URI"])
	if err != nil {
		return Resource{}, err
	}
	resource := Resource{URL: target}
	if of[rangeKey] != "" {
		if err := byteRange(of[rangeKey], &resource); err != nil {
			return Resource{}, err
		}
		return resource, p.place(&resource)
	}
	return resource, nil
}

func variantOf(of map[string]string) *Variant {
	v := &Variant{Codecs: of["CODECS"], AudioGroup: of["AUDIO"]}
	v.BitrateBps, _ = strconv.ParseInt(of["BANDWIDTH"], 10, 64)
	v.FrameRate, _ = strconv.ParseFloat(of["FRAME-RATE"], 64)
	width, height, _ := strings.Cut(of["RESOLUTION"], "x")
	v.Width, _ = strconv.Atoi(width)
	v.Height, _ = strconv.Atoi(height)
	return v
}

// byteRange parses LENGTH or LENGTH@OFFSET; without an offset it is -1.
func byteRange(text string, resource *Resource) error {
	length, offset, hasOffset := strings.Cut(text, "@")
	resource.Offset = -1
	var err, offsetErr error
	resource.Length, err = strconv.ParseInt(length, 10, 62)
	if hasOffset {
		resource.Offset, offsetErr = strconv.ParseInt(offset, 10, 62)
	}
	if err != nil || offsetErr != nil || resource.Length <= 0 || hasOffset && resource.Offset < 0 {
		return errors.New("a byte range of the playlist is invalid")
	}
	return nil
}

func seconds(text string, to *time.Duration) error {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(value >= 0 && value <= maxSeconds) {
		return fmt.Errorf("a duration of the playlist is invalid")
	}
	*to = time.Duration(value * float64(time.Second))
	return nil
}

func optionalSeconds(text string, to *time.Duration) error {
	if text == "" {
		return nil
	}
	return seconds(text, to)
}

// dateTime parses ISO 8601 as servers write it, with and without a colon in the time zone.
func dateTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"} {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// attributes parses an attribute list; quotes are removed.
func attributes(text string) map[string]string {
	list := map[string]string{}
	for text != "" {
		var name, value string
		name, text, _ = strings.Cut(text, "=")
		if strings.HasPrefix(text, `"`) {
			value, text, _ = strings.Cut(text[1:], `"`)
			_, text, _ = strings.Cut(text, ",")
		} else {
			value, text, _ = strings.Cut(text, ",")
		}
		list[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return list
}
