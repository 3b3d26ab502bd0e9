package playlist

import (
	"cmp"
	"crypto/aes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
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
	p.name = strings.TrimPrefix(name, "#")
	switch name {
	case "#EXT-X-DEFINE":
		return p.define(value)
	case "#EXT-X-STREAM-INF":
		of, err := p.attributes(value)
		p.variant = variantOf(of)
		return err
	case "#EXT-X-MEDIA":
		return p.with(value, p.rendition)
	case "#EXT-X-TARGETDURATION":
		return p.seconds(value, &p.result.TargetDuration)
	case "#EXT-X-MEDIA-SEQUENCE":
		sequence, err := strconv.ParseInt(value, 10, 64)
		if err != nil || sequence < 0 || sequence > math.MaxInt64/2 {
			return p.invalid("the number", value)
		}
		p.sequence = sequence
	case "#EXTINF":
		p.hasDuration = true
		return p.seconds(durationOf(value), &p.next.Duration)
	case "#EXT-X-BYTERANGE":
		return p.byteRange(value, &p.next.Resource)
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
		return p.with(value, p.encryption)
	case "#EXT-X-MAP":
		return p.with(value, func(of map[string]string) error {
			resource, err := p.resource(of, "BYTERANGE")
			p.current, p.mapKey = &resource, p.key
			return err
		})
	default:
		return p.lowLatencyTag(value)
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
		return p.invalid("URI", "")
	}
	target, err := p.resolve(of["URI"])
	if err != nil {
		return err
	}
	key := &Key{URL: target}
	if text := of["IV"]; text != "" {
		digits, isHex := strings.CutPrefix(strings.ToLower(text), "0x")
		if key.IV, err = hex.DecodeString(digits); err != nil || !isHex || len(key.IV) != aes.BlockSize {
			return p.invalid("the initialization vector", text)
		}
	}
	p.key = key
	return nil
}

// lowLatencyTag handles the tags of low-latency HLS.
func (p *parser) lowLatencyTag(value string) error {
	switch p.name {
	case "EXT-X-PART-INF":
		return p.with(value, func(of map[string]string) error { return p.seconds(of["PART-TARGET"], &p.result.PartTarget) })
	case "EXT-X-SERVER-CONTROL":
		return p.with(value, func(control map[string]string) error {
			p.result.CanBlockReload = control["CAN-BLOCK-RELOAD"] == "YES"
			return cmp.Or(p.optionalSeconds(control["HOLD-BACK"], &p.result.HoldBack),
				p.optionalSeconds(control["PART-HOLD-BACK"], &p.result.PartHoldBack))
		})
	case "EXT-X-PART":
		return p.with(value, p.part)
	case "EXT-X-PRELOAD-HINT":
		return p.with(value, p.hint)
	}
	return nil
}

func (p *parser) part(of map[string]string) error {
	if p.key != nil {
		return fmt.Errorf("%w (parts with AES-128)", ErrEncrypted)
	}
	part := Part{IsIndependent: of["INDEPENDENT"] == "YES", IsGap: of["GAP"] == "YES"}
	var err error
	if part.Resource, err = p.resource(of, "BYTERANGE"); err != nil {
		return err
	}
	p.next.Parts = append(p.next.Parts, part)
	return p.seconds(of["DURATION"], &p.next.Parts[len(p.next.Parts)-1].Duration)
}

func (p *parser) hint(of map[string]string) error {
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
		return p.invalid("the byte range", of["BYTERANGE-LENGTH"]+"@"+of["BYTERANGE-START"])
	}
	p.result.Hint = hint
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
		return Resource{}, p.invalid("URI", "")
	}
	target, err := p.resolve(of["URI"])
	if err != nil {
		return Resource{}, err
	}
	resource := Resource{URL: target}
	if of[rangeKey] != "" {
		if err := p.byteRange(of[rangeKey], &resource); err != nil {
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
func (p *parser) byteRange(text string, resource *Resource) error {
	length, offset, hasOffset := strings.Cut(text, "@")
	resource.Offset = -1
	var err, offsetErr error
	resource.Length, err = strconv.ParseInt(length, 10, 62)
	if hasOffset {
		resource.Offset, offsetErr = strconv.ParseInt(offset, 10, 62)
	}
	if err != nil || offsetErr != nil || resource.Length <= 0 || hasOffset && resource.Offset < 0 {
		return p.invalid("the byte range", text)
	}
	return nil
}

func (p *parser) seconds(text string, to *time.Duration) error {
	// Some servers write numbers as the language of their system does.
	value, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(text), ",", ".", 1), 64)
	if err != nil || !(value >= 0 && value <= maxSeconds) {
		return p.invalid("the duration", text)
	}
	*to = time.Duration(value * float64(time.Second))
	return nil
}

func (p *parser) optionalSeconds(text string, to *time.Duration) error {
	if text == "" {
		return nil
	}
	return p.seconds(text, to)
}

// decimalComma is a duration with a comma in place of the point; another comma separates it from the title.
var decimalComma = regexp.MustCompile(`^\d+,\d+(?:,|$)`)

// durationOf is the duration of EXTINF, which a title or attributes follow.
func durationOf(value string) string {
	number, _, _ := strings.Cut(value, ",")
	if decimalComma.MatchString(value) && strings.Count(value, ",") > 1 {
		fraction, _, _ := strings.Cut(value[len(number)+1:], ",")
		number += "." + fraction
	}
	number, _, _ = strings.Cut(strings.TrimSpace(number), " ") // attributes may precede the comma
	return number
}

// invalid is the error of a tag's value.
func (p *parser) invalid(what, value string) error {
	if value == "" {
		return fmt.Errorf("%s has no %s", p.name, strings.TrimPrefix(what, "the "))
	}
	return fmt.Errorf("%s has an invalid value for %s: %q", p.name, what, excerpt(value))
}

// excerpt is a value as in sentences: short, and of an address without its arguments, which may be secrets.
func excerpt(value string) string {
	const maximum = 60
	value, _, hasArguments := strings.Cut(value, "?")
	if len(value) > maximum {
		value = strings.ToValidUTF8(value[:maximum], "") + "…"
	}
	if hasArguments {
		value += "?…"
	}
	return value
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

// with calls what handles a tag with its attributes.
func (p *parser) with(value string, handle func(of map[string]string) error) error {
	of, err := p.attributes(value)
	if err != nil {
		return err
	}
	return handle(of)
}

// attributes parses an attribute list; quotes are removed, and variables in quotes replaced.
func (p *parser) attributes(text string) (map[string]string, error) {
	list := map[string]string{}
	for text != "" {
		var name, value string
		name, text, _ = strings.Cut(text, "=")
		if strings.HasPrefix(text, `"`) {
			value, text, _ = strings.Cut(text[1:], `"`)
			var err error
			if value, err = p.replaced(value); err != nil {
				return nil, err
			}
			_, text, _ = strings.Cut(text, ",")
		} else {
			value, text, _ = strings.Cut(text, ",")
		}
		list[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return list, nil
}
