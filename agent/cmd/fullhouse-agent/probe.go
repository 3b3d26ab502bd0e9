package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// probeTimeout is less than the period of a usual readiness probe.
const probeTimeout = 2 * time.Second

// probe fails unless an agent listens at the address. It presents no token, so it does not count as a console and the
// dead man's switch is not affected. A container without a shell runs it as its readiness probe.
func probe(arguments []string, errorOutput io.Writer) error {
	flags := flagsOf("probe", errorOutput)
	address := flags.String("address", "", "`address` that the agent listens on")
	if err := parse(flags, arguments); err != nil {
		return err
	}
	if *address == "" {
		return errors.New("--address is missing; usage: fullhouse-agent probe --address 127.0.0.1:7400")
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+*address+"/v1", nil)
	if err != nil {
		return fmt.Errorf("%q is not an address: %w", *address, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("no agent listens at %s: %w", *address, err)
	}
	_ = response.Body.Close() // only the status matters
	if response.StatusCode != http.StatusUnauthorized {
		return fmt.Errorf("the server at %s is not an agent: it answered with status %d", *address, response.StatusCode)
	}
	return nil
}
