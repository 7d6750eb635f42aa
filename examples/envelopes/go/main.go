// Asks a question both ways, answers what Baton asks back, raises a bound, and reads a refusal.
//
// BATON: the program, as a JSON array (["baton"]); SERVER_URL, SERVER_TOKEN: a server; AGENT: who answers stages;
// WORKSPACE: the folder that tools look into. Exits with 1 when something is not as it should be.
package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
)

const sentAt = "2025-12-10T10:00:00.123456Z"

func main() {
	var baton []string
	check(json.Unmarshal([]byte(os.Getenv("BATON")), &baton))
	agent, workspace := os.Getenv("AGENT"), os.Getenv("WORKSPACE")
	query := url.Values{"agent": {agent}, "repo": {workspace}}
	try("program", ByProgram(baton, "--agent", agent, "--repo", workspace))
	try("http", ByHTTP(os.Getenv("SERVER_URL"), os.Getenv("SERVER_TOKEN"), query))
}

func try(way string, process Process) {
	converse(way, process)
	beRefused(way, process, raiseBound(way, process))
}

func converse(way string, process Process) {
	envelope := newEnvelope()
	envelope["x_trace"] = "kept"
	envelope = next(process, envelope)
	expect(envelope.Is("clarification_pending") && !envelope.Is("terminated"), "a question", envelope)
	fmt.Printf("%s: Baton asks: %s\n", way, envelope.Text("clarification_question"))
	envelope["clarification_response"] = "Of users."
	envelope = next(process, envelope)
	expect(envelope.Text("terminal_reason") == "completed_successfully", "an answer", envelope)
	expect(envelope.Text("x_trace") == "kept" && envelope.Text("received_at") == sentAt, "what was sent", envelope)
	fmt.Printf("%s: %s\n", way, envelope.FinalResponse())
}

func raiseBound(way string, process Process) Envelope {
	envelope := newEnvelope()
	envelope["max_llm_calls"] = 2
	envelope = next(process, envelope)
	envelope["clarification_response"] = "Of users."
	envelope = next(process, envelope)
	expect(envelope.Text("terminal_reason") == "max_llm_calls_exceeded", "a bound", envelope)
	fmt.Printf("%s: %s\n", way, envelope.Text("termination_reason"))
	envelope["max_llm_calls"], envelope["terminated"] = 10, false
	envelope = next(process, envelope)
	expect(envelope.Text("terminal_reason") == "completed_successfully", "an answer", envelope)
	return envelope
}

func beRefused(way string, process Process, envelope Envelope) {
	envelope["agent_hop_count"] = 0
	_, err := process(envelope)
	var refusal *Refused
	expect(errors.As(err, &refusal) && refusal.Code == "ENVELOPE_STALE", "ENVELOPE_STALE", err)
	fmt.Printf("%s: refused: %s\n", way, refusal)
}

func newEnvelope() Envelope {
	return Envelope{
		"envelope_id":   "env_" + hex16(),
		"request_id":    "req_" + hex16(),
		"session_id":    "sess_" + hex16(),
		"raw_input":     "How does authentication work?",
		"received_at":   sentAt,
		"outputs":       Envelope{},
		"current_stage": "start",
		"terminated":    false,
	}
}

func hex16() string {
	bytes := make([]byte, 8)
	_, err := rand.Read(bytes)
	check(err)
	return hex.EncodeToString(bytes)
}

func next(process Process, envelope Envelope) Envelope {
	envelope, err := process(envelope)
	check(err)
	return envelope
}

func expect(holds bool, what string, got any) {
	if !holds {
		check(fmt.Errorf("this is not %s: %v", what, got))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
