"""Asks a question both ways, answers what Baton asks back, raises a bound, and reads a refusal.

BATON: the program, as a JSON array (["baton"]); SERVER_URL, SERVER_TOKEN: a server; AGENT: who answers stages;
WORKSPACE: the folder that tools look into. Exits with 1 when something is not as it should be.
"""

import json
import os
import secrets

from baton_envelopes import Refused, by_http, by_program
from generic_envelope import GenericEnvelope


def new_envelope(**more):
    return GenericEnvelope(
        envelope_id=f"env_{secrets.token_hex(8)}",
        request_id=f"req_{secrets.token_hex(8)}",
        session_id=f"sess_{secrets.token_hex(8)}",
        raw_input="How does authentication work?",
        current_stage="start",
        terminated=False,
        **more,
    )


def converse(way, process):
    envelope = new_envelope(others={"x_trace": "kept", "received_at": "2025-12-10T10:00:00.123456Z"})
    envelope = process(envelope)
    assert envelope.clarification_pending and not envelope.terminated, envelope
    print(f"{way}: Baton asks: {envelope.clarification_question}")
    envelope.clarification_response = "Of users."
    envelope = process(envelope)
    assert envelope.terminal_reason == "completed_successfully", envelope
    assert envelope.others["x_trace"] == "kept", envelope.others
    assert envelope.others["received_at"] == "2025-12-10T10:00:00.123456Z", envelope.others
    print(f"{way}: {envelope.final_response}")


def raise_bound(way, process):
    envelope = new_envelope(max_llm_calls=2)
    envelope = process(envelope)
    envelope.clarification_response = "Of users."
    envelope = process(envelope)
    assert envelope.terminal_reason == "max_llm_calls_exceeded", envelope
    print(f"{way}: {envelope.termination_reason}")
    envelope.max_llm_calls, envelope.terminated = 10, False
    envelope = process(envelope)
    assert envelope.terminal_reason == "completed_successfully", envelope
    return envelope


def be_refused(way, process, envelope):
    envelope.agent_hop_count = 0
    try:
        process(envelope)
    except Refused as refusal:
        assert refusal.code == "ENVELOPE_STALE", refusal.code
        print(f"{way}: refused: {refusal.code}: {refusal}")
    else:
        raise AssertionError("a counter that went down was taken")


def main():
    agent, workspace = os.environ["AGENT"], os.environ["WORKSPACE"]
    ways = {
        "program": by_program(json.loads(os.environ["BATON"]), agent, "--repo", workspace),
        "http": by_http(os.environ["SERVER_URL"], os.environ["SERVER_TOKEN"], agent=agent, repo=workspace),
    }
    for way, process in ways.items():
        converse(way, process)
        be_refused(way, process, raise_bound(way, process))


if __name__ == "__main__":
    main()
