package rtmp

// Events of user control messages (section 7.1.7 of the specification).
const (
	EventStreamBegin  = 0
	EventStreamEOF    = 1
	EventBufferLength = 3
	EventPingRequest  = 6
	EventPingResponse = 7
)

// Command is one command of a server: its name, the transaction that it responds to, and its values.
type Command struct {
	Name        string
	Transaction float64
	Values      []any
}

// ReadCommand decodes as much of a command as possible; a name and a number are required.
func ReadCommand(payload []byte) (Command, bool) {
	values, err := ReadAMF(payload)
	if err != nil && len(values) < 3 || len(values) < 2 {
		return Command{}, false
	}
	name, isName := values[0].(string)
	transaction, isNumber := values[1].(float64)
	return Command{Name: name, Transaction: transaction, Values: values[2:]}, isName && isNumber
}

// Info is the last object of a response, with its code and its description.
func (c Command) Info() (level, code, description string) {
	for _, value := range c.Values {
		if properties, ok := value.(map[string]any); ok {
			level, _ = properties["level"].(string)
			code, _ = properties["code"].(string)
			description, _ = properties["description"].(string)
		}
	}
	return level, code, description
}

// Number is the last number of a response, such as the id of a new stream.
func (c Command) Number() (number float64, found bool) {
	for _, value := range c.Values {
		if one, ok := value.(float64); ok {
			number, found = one, true
		}
	}
	return number, found
}
