package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"fullhouse/agent/internal/selftest"
)

// maxSelfTest bounds how long the measurement keeps a machine busy.
const maxSelfTest = 10 * time.Second

// selfTest measures this machine and prints the result as one line.
func selfTest(arguments []string, output, errors io.Writer) error {
	flags := flagsOf("self-test", errors)
	duration := flags.Duration("duration", 2*time.Second, "how long one core is kept busy")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if err := aboveZero("--duration", *duration); err != nil {
		return err
	}
	if *duration > maxSelfTest {
		return fmt.Errorf("--duration must be at most %v; it is %v", maxSelfTest, *duration)
	}
	result, err := selftest.Run(context.Background(), *duration)
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(result)
}
