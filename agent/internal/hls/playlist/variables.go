package playlist

import (
	"fmt"
	"maps"
	"regexp"
)

// Variables are the values of EXT-X-DEFINE by name.
type Variables map[string]string

// reference is a variable in an address or a quoted value.
var reference = regexp.MustCompile(`\{\$([A-Za-z0-9_-]+)\}`)

// maxVariables, maxReplaced and maxValues bound what a playlist can make of a few bytes: each viewer keeps the values of
// its own multivariant playlist.
const (
	maxVariables = 1000
	maxReplaced  = maxLine
	maxValues    = 256 << 10
)

// define handles EXT-X-DEFINE: a value, one of the multivariant playlist, or one of the playlist's own address.
func (p *parser) define(text string) error {
	of, err := p.attributes(text)
	if err != nil {
		return err
	}
	name, value := of["NAME"], of["VALUE"]
	switch imported, argument := of["IMPORT"], of["QUERYPARAM"]; {
	case name != "":
		if _, hasValue := of["VALUE"]; !hasValue {
			return fmt.Errorf("%s of the variable %q has no VALUE", p.name, excerpt(name))
		}
	case imported != "":
		var isKnown bool
		if name = imported; p.imports == nil {
			return fmt.Errorf("%s imports the variable %q, but the playlist was not reached by a multivariant playlist", p.name, excerpt(name))
		}
		if value, isKnown = p.imports[name]; !isKnown {
			return fmt.Errorf("%s imports the variable %q, which the multivariant playlist does not define", p.name, excerpt(name))
		}
	case argument != "":
		name = argument
		if value = p.base.Query().Get(name); value == "" {
			return fmt.Errorf("%s needs the argument %q, which the address of the playlist lacks", p.name, excerpt(name))
		}
	default:
		return fmt.Errorf("%s has neither NAME nor IMPORT nor QUERYPARAM", p.name)
	}
	if _, isKnown := p.variables[name]; isKnown {
		return fmt.Errorf("%s defines the variable %q twice", p.name, excerpt(name))
	}
	if len(p.variables) >= maxVariables {
		return fmt.Errorf("%s defines more than %d variables", p.name, maxVariables)
	}
	if of["IMPORT"] == "" { // an imported value is kept once
		p.values += len(name) + len(value)
	}
	if p.values > maxValues {
		return fmt.Errorf("%s defines variables of more than %d bytes", p.name, maxValues)
	}
	if p.variables == nil {
		p.variables = Variables{}
	}
	p.variables[name] = value
	return nil
}

// replaced is a text with the values of its variables.
func (p *parser) replaced(text string) (string, error) {
	found := reference.FindAllStringSubmatchIndex(text, -1)
	if found == nil {
		return text, nil
	}
	var out []byte
	from := 0
	for _, at := range found {
		name := text[at[2]:at[3]]
		value, isKnown := p.variables[name]
		if !isKnown {
			return "", fmt.Errorf("%s uses the variable %q, which is not defined before it (EXT-X-DEFINE)", p.name, excerpt(name))
		}
		out = append(append(out, text[from:at[0]]...), value...)
		if from = at[1]; len(out) > maxReplaced {
			return "", fmt.Errorf("%s is longer than %d bytes with the values of its variables", p.name, maxReplaced)
		}
	}
	if err := p.left.Bytes("addresses", len(out)); err != nil {
		return "", err
	}
	return string(append(out, text[from:]...)), nil
}

// Same reports whether variables have the same values.
func (v Variables) Same(other Variables) bool {
	return (v == nil) == (other == nil) && maps.Equal(v, other)
}
