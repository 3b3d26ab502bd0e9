package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"fullhouse/agent/internal/protocol"
)

// listeningOf is the line for standard output of a running agent.
func listeningOf(s protocol.AgentState) protocol.AgentListening {
	return protocol.AgentListening{Type: "listening", Protocol: s.Protocol, Agent: s.Agent, Role: s.Role, Address: s.Address,
		PID: s.PID, Running: true, Warnings: s.Warnings}
}

// readState returns nil if the file does not exist.
func (d StateDir) readState() (*protocol.AgentState, error) {
	data, err := os.ReadFile(d.state())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, stateDirError(d.Path, err)
	}
	var state protocol.AgentState
	if err := json.Unmarshal(data, &state); err != nil || state.PID <= 0 || state.Address == "" {
		return nil, fmt.Errorf("%s is damaged; stop its agent, if one is running, and remove the file", d.state())
	}
	return &state, nil
}

// writeState replaces agent.json atomically.
func (d StateDir) writeState(state protocol.AgentState) error {
	data, err := json.Marshal(state)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(d.Path, temporaryState) // 0600
	if err != nil {
		return stateDirError(d.Path, err)
	}
	_, err = file.Write(append(data, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), d.state())
	}
	if err != nil {
		_ = os.Remove(file.Name()) // an incomplete file is of no use
		return stateDirError(d.Path, err)
	}
	return nil
}

// ReadStatus is the status of the agent of a state directory.
func ReadStatus(path string) (protocol.Status, error) {
	notRunning := protocol.Status{Type: "status"}
	dir, err := OpenStateDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return notRunning, nil
	}
	if err != nil {
		return notRunning, err
	}
	state, err := dir.readState()
	if err != nil || state == nil {
		return notRunning, err
	}
	status, err := statusOf(state)
	if err != nil {
		return notRunning, err
	}
	status.Type, status.Alive = "status", isAgent(state.PID, dir.Path)
	if !status.Alive {
		status.LastLogLine = lastLine(dir.log())
	}
	return status, nil
}

// statusOf has all fields of a state; the others are left empty.
func statusOf(state *protocol.AgentState) (status protocol.Status, err error) {
	data, err := json.Marshal(state)
	if err != nil {
		return status, err
	}
	return status, json.Unmarshal(data, &status)
}
