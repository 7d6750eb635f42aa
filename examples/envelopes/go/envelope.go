package main

import (
	"bytes"
	"encoding/json"
)

// Envelope is the state of contract 002. Numbers stay as they were written, and fields that this program does not know stay in it.
type Envelope map[string]any

// FromStateDict reads what Baton has written.
func FromStateDict(data []byte) (Envelope, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var envelope Envelope
	err := decoder.Decode(&envelope)
	return envelope, err
}

// ToStateDict writes what Baton reads.
func (envelope Envelope) ToStateDict() ([]byte, error) {
	return json.Marshal(envelope)
}

// Text of a field; empty where it is null or missing.
func (envelope Envelope) Text(field string) string {
	text, _ := envelope[field].(string)
	return text
}

// Is says whether a field is true.
func (envelope Envelope) Is(field string) bool {
	truth, _ := envelope[field].(bool)
	return truth
}

// FinalResponse is what the last stage has to say.
func (envelope Envelope) FinalResponse() string {
	outputs, _ := envelope["outputs"].(map[string]any)
	integration, _ := outputs["integration"].(map[string]any)
	response, _ := integration["final_response"].(string)
	return response
}
