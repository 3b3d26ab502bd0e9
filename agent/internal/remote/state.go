package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fullhouse/agent/internal/link"
)

// State is agent.json: what a caller needs to find and to trust a running agent. It holds the token, so it is
// readable for its owner only.
type State struct {
	PID      int    `json:"pid"`
	Address  string `json:"address"`
	Token    string `json:"token"`
	Instance string `json:"instance"`
	Protocol int    `json:"protocol"`
	Agent    string `json:"agent"`
	Role     string `json:"role"`
	// SHA256 of the program that runs, to tell builds of one version apart.
	SHA256    string   `json:"sha256"`
	StartedMs int64    `json:"startedMs"`
	Warnings  []string `json:"warnings,omitempty"`
}

// Status is what `status` prints. Without a trace of an agent only Type and Alive are told.
type Status struct {
	Type  string `json:"type"`
	Alive bool   `json:"alive"`
	*State
	// LastWords is the last line of the log of an agent that ended without being asked.
	LastWords string `json:"lastWords,omitempty"`
}

// listening is the line for standard output of an agent that runs already.
func (s State) listening() link.Listening {
	return link.Listening{Type: "listening", Protocol: s.Protocol, Agent: s.Agent, Role: s.Role, Address: s.Address, PID: s.PID,
		Running: true, Warnings: s.Warnings}
}

// readState returns nil when there is none.
func (h Home) readState() (*State, error) {
	data, err := os.ReadFile(h.state())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, troubled(h.Path, err)
	}
	var state State
	if err := json.Unmarshal(data, &state); err != nil || state.PID <= 0 || state.Address == "" {
		return nil, fmt.Errorf("%s is damaged; end its agent, if one runs, and remove the file", h.state())
	}
	return &state, nil
}

// writeState replaces agent.json at once, so that nobody reads half of it.
func (h Home) writeState(state State) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(h.Path, temporaryState) // 0600
	if err != nil {
		return troubled(h.Path, err)
	}
	_, err = file.Write(append(data, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), h.state())
	}
	if err != nil {
		_ = os.Remove(file.Name()) // what could not be written is of no use
		return troubled(h.Path, err)
	}
	return nil
}

// ReadStatus tells how the agent of a home is.
func ReadStatus(path string) (Status, error) {
	nobody := Status{Type: "status"}
	home, err := Find(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nobody, nil
	}
	if err != nil {
		return nobody, err
	}
	state, err := home.readState()
	if err != nil || state == nil {
		return nobody, err
	}
	status := Status{Type: "status", State: state, Alive: isAgent(state.PID, home.Path)}
	if !status.Alive {
		status.LastWords = lastLine(home.log())
	}
	return status, nil
}
