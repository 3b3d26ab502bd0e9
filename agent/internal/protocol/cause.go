package protocol

import "strconv"

// Cause is why a viewer failed: short and constant, since failures are grouped by it. Only those of the list
// (src/domain/failure) exist: no other package can make one.
type Cause struct{ name string }

// String is its name in messages.
func (c Cause) String() string { return c.name }

// MarshalText is its name in messages.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.name), nil }

// UnmarshalText reads a message, also one of another version.
func (c *Cause) UnmarshalText(text []byte) error {
	c.name = string(text)
	return nil
}

func numbered(prefix, beforeNumber string, number int, names map[int]string) Cause {
	if name, isNamed := names[number]; isNamed {
		return Cause{prefix + name}
	}
	return Cause{prefix + beforeNumber + strconv.Itoa(number)}
}

// InnerCause is the cause of a connection below another stage, such as the one to a TURN server: `tcp-refused`.
func InnerCause(stage Stage, cause Cause) Cause { return Cause{string(stage) + "-" + cause.name} }
