package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"time"
)

// Process is one way to Baton: an envelope in, the next one out.
type Process func(Envelope) (Envelope, error)

// Refused is what Baton says instead of an envelope, with "error": true.
type Refused struct {
	Code    string          `json:"code"`
	Message string          `json:"message"`
	Reason  string          `json:"reason"`
	Hint    string          `json:"hint"`
	Details json.RawMessage `json:"details"`
}

func (refused *Refused) Error() string {
	return refused.Code + ": " + refused.Reason
}

const (
	movedOn = 0
	refused = 1
	waits   = 3
	bound   = 4
)

// ByProgram sends it to `baton envelope process`: on standard input, and back on standard output.
func ByProgram(baton []string, options ...string) Process {
	return func(envelope Envelope) (Envelope, error) {
		sent, err := envelope.ToStateDict()
		if err != nil {
			return nil, err
		}
		arguments := append(append(append([]string{}, baton[1:]...), "envelope", "process"), options...)
		command := exec.Command(baton[0], arguments...)
		command.Stdin, command.Stderr = bytes.NewReader(sent), os.Stderr
		out, err := command.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		switch code := command.ProcessState.ExitCode(); code {
		case movedOn, waits, bound:
			return FromStateDict(out)
		case refused:
			return nil, refusalIn(out)
		default:
			return nil, fmt.Errorf("baton ended with %d", code)
		}
	}
}

// ByHTTP posts it to /api/v1/process of a server.
func ByHTTP(server, token string, query url.Values) Process {
	client := &http.Client{Timeout: 5 * time.Minute}
	return func(envelope Envelope) (Envelope, error) {
		sent, err := envelope.ToStateDict()
		if err != nil {
			return nil, err
		}
		request, err := http.NewRequest("POST", server+"/api/v1/process?"+query.Encode(), bytes.NewReader(sent))
		if err != nil {
			return nil, err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		said, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, refusalIn(said)
		}
		return FromStateDict(said)
	}
}

func refusalIn(said []byte) error {
	var refusal Refused
	if err := json.Unmarshal(said, &refusal); err != nil {
		return fmt.Errorf("neither an envelope nor a refusal: %w", err)
	}
	return &refusal
}
