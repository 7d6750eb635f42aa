"""The envelope of contract 002 as a class: what the program knows has a name, everything else is kept as it came."""

from dataclasses import dataclass, field, fields
from typing import Any, Optional


@dataclass
class GenericEnvelope:
    envelope_id: str
    request_id: str
    session_id: str
    raw_input: str
    current_stage: str
    terminated: bool
    user_id: str = "anonymous"
    outputs: dict = field(default_factory=dict)
    terminal_reason: Optional[str] = None
    termination_reason: Optional[str] = None
    llm_call_count: int = 0
    max_llm_calls: int = 10
    agent_hop_count: int = 0
    max_agent_hops: int = 21
    clarification_pending: bool = False
    clarification_question: Optional[str] = None
    clarification_response: Optional[str] = None
    confirmation_pending: bool = False
    confirmation_id: Optional[str] = None
    confirmation_message: Optional[str] = None
    confirmation_response: Optional[bool] = None
    errors: list = field(default_factory=list)
    others: dict = field(default_factory=dict)

    @classmethod
    def from_state_dict(cls, state: dict) -> "GenericEnvelope":
        known = {one.name for one in fields(cls)} - {"others"}
        given = {name: value for name, value in state.items() if name in known}
        others = {name: value for name, value in state.items() if name not in known}
        return cls(**given, others=others)

    def to_state_dict(self) -> dict:
        state: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "others"}
        return {**state, **self.others}

    @property
    def final_response(self) -> Optional[str]:
        return self.outputs.get("integration", {}).get("final_response")
