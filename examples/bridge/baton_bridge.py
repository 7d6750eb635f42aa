"""The orchestrator's side of contract 001 in one file: copy it beside your program. Python's standard library alone.

    bridge = Bridge()                         # the three files lie in the working directory
    answer = bridge.ask(1, "codebase_analysis", "architectural-reviewer", PROMPT, read=json.loads)
    print(answer.value)                       # on the first start the program has ended with exit code 42 before this
    bridge.finish()

Whoever sees exit code 42 answers `.agent-request.json` with `.agent-response.json` and starts the program again with
`--resume`; `baton bridge run --agent claude -- python3 program.py` does that. The program begins at its first line each
time: asks are recognised in their order per phase and agent, and answers come out of the state. It writes the same files
as the TypeScript library `baton/bridge`, so either could go on where the other stopped.
"""

import copy
import hashlib
import json
import os
import re
import sys
import uuid
from datetime import datetime, timezone

REQUEST, RESPONSE, STATE = ".agent-request.json", ".agent-response.json", ".template-create-state.json"
CHECKPOINT_EXIT_CODE = 42
IN_VAIN_MAX = 2
PATHS = ("output_path", "project_path", "template_name")
NUMBER = (int, float)
REQUEST_FIELDS = {"request_id": str, "version": str, "phase": int, "phase_name": str, "agent_name": str, "prompt": str,
                  "context": dict, "timeout_seconds": int, "created_at": str, "retry_count": int}
RESPONSE_FIELDS = {"request_id": str, "version": str, "status": str, "response": str, "error_message": str,
                   "error_type": str, "created_at": str, "duration_seconds": NUMBER, "metadata": dict}
STATE_FIELDS = {"version": str, "phase": int, "phase_name": str, "checkpoint_name": str, "created_at": str,
                "output_path": str, "project_path": str, "template_name": str, "phase_data": dict,
                "completed_phases": list, "agent_requests": list}
STATUSES = ("success", "error", "timeout", "cancelled")
ERROR_TYPES = ("AGENT_NOT_FOUND", "INVOCATION_FAILED", "TIMEOUT", "PARSE_ERROR", "VALIDATION_ERROR", "UNKNOWN")


class BridgeError(Exception):
    """What is refused: a request outside the contract, a state that cannot be trusted."""


class BridgeFailed(BridgeError):
    """No usable answer, and no fallback."""

    def __init__(self, failure):
        super().__init__("phase {phase} {phase_name}: {agent_name}: {error_type}: {error_message}".format(**failure))
        self.error_type = failure["error_type"]


class BridgeCancelled(BridgeFailed):
    """Somebody does not want this done: no fallback takes over."""


class Answer:
    def __init__(self, response, value, source, warning, error=(None, None)):
        self.request_id, self.status = response["request_id"], response["status"]
        self.response, self.metadata = response.get("response"), response.get("metadata", {})
        self.value, self.source, self.warning = value, source, warning
        self.error_type, self.error_message = error
        self.confidence = reported_confidence(response)

    def is_success(self):
        return self.status == "success"

    def get_confidence(self):
        return self.confidence or 0.0


class Bridge:
    def __init__(self, dir=".", resume=None, log=lambda line: None, **paths):
        self.dir, self.log, self._made = os.path.abspath(dir), log, {}
        self.state = self._read_state() if resume or (resume is None and "--resume" in sys.argv) else None
        kept = copy.deepcopy(self.state or {})
        self._paths = {name: paths.get(name) or kept.get(name) for name in PATHS}
        self.data, self._phases = kept.get("phase_data", {}), kept.get("completed_phases", [])
        self._requests, self._answers = kept.get("agent_requests", []), self.data.get("agent_answers", [])
        if kept.get("checkpoint_name") == "agent_failed":
            self._abandon_failed()

    def checkpoint(self, phase, phase_name, checkpoint_name):
        if self._answers:
            self.data["agent_answers"] = self._answers
        paths = {name: path for name, path in self._paths.items() if path}
        self._write(STATE, {
            "version": "1.0", "phase": phase, "phase_name": phase_name, "checkpoint_name": checkpoint_name,
            "created_at": now(), "output_path": self.dir, **paths, "phase_data": self.data,
            "completed_phases": self._phases, "agent_requests": self._requests})

    def completed(self, phase, phase_name, result_summary):
        if not any((done.get("phase"), done.get("phase_name")) == (phase, phase_name) for done in self._phases):
            done = {"phase": phase, "phase_name": phase_name, "completed_at": now(), "result_summary": result_summary}
            self._phases.append(done)
            self.checkpoint(phase, phase_name, "phase_completed")

    def ask(self, phase, phase_name, agent_name, prompt, context=None, timeout_seconds=120, read=None, fallback=None,
            gate=None):
        request = {"request_id": str(uuid.uuid4()), "version": "1.0", "phase": phase, "phase_name": phase_name,
                   "agent_name": agent_name, "prompt": prompt, "context": context or {},
                   "timeout_seconds": timeout_seconds, "created_at": now(), "retry_count": 0}
        refuse(request_problem(request))
        made = self._made[phase, agent_name] = self._made.get((phase, agent_name), 0) + 1
        kept = [answer["response"] for answer in self._answers if same_agent(answer, request)]
        response = kept[made - 1] if len(kept) >= made else self._ask_there(request)
        value, warning, error = judge(response, read, gate or gate_of(phase, phase_name))
        asked, cancelled = self._asked(response["request_id"]), response["status"] == "cancelled"
        if error is None:
            if asked.get("fingerprint", fingerprint(request)) != fingerprint(request):
                warning = "the prompt has changed since this was answered"
            return Answer(response, value, "agent", warning)
        failure = {**request, "request_id": response["request_id"], "error_type": error[0], "error_message": error[1]}
        is_news, asked["status"] = asked.get("status") != "failed", "failed"
        if fallback and not cancelled:
            warning = "fallback: %s: %s" % error
            if is_news:
                self.log("phase %d %s: %s" % (phase, phase_name, warning))
            return Answer(response, fallback(failure), "fallback", warning, error)
        if is_news:
            self.checkpoint(phase, phase_name, "agent_failed")
        raise (BridgeCancelled if cancelled else BridgeFailed)(failure)

    def finish(self):
        for name in (REQUEST, RESPONSE, STATE):
            if self._remove(name):
                self.log("Removed checkpoint file: " + name)

    def _ask_there(self, request):
        """Returns only when the answer is there."""
        pending = next((r for r in self._requests if r.get("status") == "pending" and same_agent(r, request)), None)
        waiting = self._read(REQUEST) if self.state and not pending else None
        if waiting and not request_problem(waiting) and same_agent(waiting, request):
            if not self._asked(waiting["request_id"]):
                pending = record_of(waiting)
                self._requests.append(pending)
        if not pending:
            return self._ask_anew(request)
        response = self._response_to(pending["request_id"])
        if response == "none":
            self._pause({**request, "request_id": pending["request_id"]})
        if response == "rejected":
            self.log("%s: what came does not answer %s" % (request["agent_name"], pending["request_id"]))
            pending.update(status="rejected", fingerprint=pending.get("fingerprint", fingerprint(request)))
            return self._ask_anew(request)
        self._keep(request, response)
        self.checkpoint(request["phase"], request["phase_name"], "after_agent_invocation")
        self._remove(REQUEST)
        self._remove(RESPONSE)
        return response

    def _ask_anew(self, request):
        in_vain = [r for r in self._requests if r.get("fingerprint") == fingerprint(request) and was_in_vain(r)]
        if len(in_vain) >= IN_VAIN_MAX:
            message = "the same was asked %d times without a usable answer; it is not asked again" % IN_VAIN_MAX
            return self._keep(request, {
                "request_id": in_vain[-1]["request_id"], "version": "1.0", "status": "error", "created_at": now(),
                "error_message": message, "error_type": "UNKNOWN"})
        self._remove(REQUEST)
        self._response_to(request["request_id"])
        self._requests.append(record_of(request))
        self._pause(request)

    def _pause(self, request):
        """The state goes first: wherever the program dies, the state or the request says what is next."""
        self.checkpoint(request["phase"], request["phase_name"], "before_agent_invocation")
        if (self._read(REQUEST) or {}).get("request_id") != request["request_id"]:
            self._write(REQUEST, request)
        sys.exit(CHECKPOINT_EXIT_CODE)

    def _response_to(self, request_id):
        """The response to exactly this request. Whatever else lies there is out of the way afterwards."""
        if not os.path.lexists(self._path(RESPONSE)):
            return "none"
        response = self._read(RESPONSE)
        if response_problem(response) is None:
            if response["request_id"] == request_id:
                return response
            if self._asked(response["request_id"]).get("status", "pending") != "pending":
                self._remove(RESPONSE)  # of a request that is over: it comes too late, and says nothing against this one
                return "none"
        os.replace(self._path(RESPONSE), self._path(RESPONSE + ".rejected"))
        return "rejected"

    def _keep(self, request, response):
        self._asked(response["request_id"])["status"] = "completed"
        self._answers.append({"phase": request["phase"], "agent_name": request["agent_name"], "response": response})
        return response

    def _asked(self, request_id):
        return next((request for request in self._requests if request.get("request_id") == request_id), {})

    def _abandon_failed(self):
        """Whoever starts a program again that ended at an ask wants it tried again, with nothing held against it."""
        in_vain = [request for request in self._requests if was_in_vain(request)]
        last = in_vain[-1] if in_vain else {}
        self._answers[:] = [a for a in self._answers if a["response"]["request_id"] != last.get("request_id")]
        for request in in_vain:
            if request is last or request["status"] == "rejected":
                request["status"] = "abandoned"

    def _read_state(self):
        if not os.path.lexists(self._path(STATE)):
            return None
        state = self._read(STATE)
        state = state and {name: value for name, value in state.items() if value is not None}
        refuse(state_problem(state), self._path(STATE) + ": ")
        return state

    def _path(self, name):
        return os.path.join(self.dir, name)

    def _read(self, name):
        """None for what is missing, unreadable, no file or no JSON."""
        if not os.path.isfile(self._path(name)):
            return None
        try:
            with open(self._path(name), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError, RecursionError):
            return None

    def _write(self, name, value):
        """Readers see the old file or the whole new one, and it stays after a power cut."""
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        path, temporary = self._path(name), self._path(name) + ".tmp"
        if os.path.lexists(temporary):
            os.unlink(temporary)
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        folder = os.open(self.dir, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    def _remove(self, name):
        there = [path for path in (self._path(name + ".tmp"), self._path(name)) if os.path.lexists(path)]
        for path in there:
            os.unlink(path)
        return self._path(name) in there


def judge(response, read, gate):
    """What the answer is worth: value, warning, and why it cannot be used, if it cannot."""
    if response["status"] != "success":
        kind = response.get("error_type", "TIMEOUT" if response["status"] == "timeout" else "UNKNOWN")
        return None, None, (kind, response.get("error_message", "the agent's answer is " + response["status"]))
    text = response.get("response", "")
    try:
        value = read(text) if read else text
    except Exception as problem:
        kind = "PARSE_ERROR" if isinstance(problem, json.JSONDecodeError) else "VALIDATION_ERROR"
        return None, None, (kind, str(problem))
    confidence, (go, warn) = reported_confidence(response), gate
    if confidence is None:
        return value, "the answer does not say how sure it is", None
    if confidence < warn:
        return None, None, ("VALIDATION_ERROR", "confidence %s is below %s" % (confidence, warn))
    return value, "confidence %s is below %s" % (confidence, go) if confidence < go else None, None


def gate_of(phase, phase_name):
    return (0.80, 0.60) if phase == 7 or phase_name == "agent_enhancement" else (0.85, 0.70)


def reported_confidence(response):
    """What the handler measured, else what the answer says of itself; None when neither says a share of one."""
    own = answer_object(response.get("response", ""))
    said = (response.get("metadata", {}).get("confidence"), own.get("overall_confidence"), own.get("confidence"))
    return next((c for c in said if is_a(c, NUMBER) and 0 <= c <= 1), None)


def answer_object(text):
    """The JSON object that an agent answered with: alone, or inside one Markdown fence with words around it."""
    opening = re.search(r"```(?:json|JSON)?[ \t]*\r?\n", text)
    # To the last fence: a text inside the JSON may hold fences itself.
    fenced = text[opening.end():text.rfind("```")] if opening else ""
    for candidate in (text, fenced):
        try:
            value = json.loads(candidate.strip())
            return value if isinstance(value, dict) else {}
        except (ValueError, RecursionError):
            continue
    return {}


def fields_problem(value, fields, required):
    if not isinstance(value, dict):
        return "is not a JSON object"
    missing, strange = set(required) - set(value), set(value) - set(fields)
    wrong = [name for name in value if name in fields and not is_a(value[name], fields[name])]
    if missing or strange or wrong:
        return "missing: %s, unknown: %s, of the wrong type: %s" % (sorted(missing), sorted(strange), wrong)
    return None if re.fullmatch(r"1\.\d+", value["version"]) else "version %s is not 1.x" % value["version"]


def request_problem(request):
    problem = fields_problem(request, REQUEST_FIELDS, ("request_id", "version", "phase", "phase_name", "agent_name",
                                                       "prompt", "created_at"))
    return problem or next((said for wrong, said in (
        (not 1 <= request["phase"] <= 9, "phase is not 1 to 9"),
        (not request["phase_name"].strip() or not request["agent_name"].strip(), "a name is blank"),
        (len(request["prompt"]) < 100, "prompt is shorter than 100 characters"),
        (not 30 <= request.get("timeout_seconds", 120) <= 600, "timeout_seconds is not 30 to 600"),
    ) if wrong), None)


def response_problem(response):
    problem = fields_problem(response, RESPONSE_FIELDS, ("request_id", "version", "status", "created_at"))
    if problem or response["status"] not in STATUSES or response.get("error_type", "UNKNOWN") not in ERROR_TYPES:
        return problem or "status or error_type is unknown"
    return None


def state_problem(state):
    problem = fields_problem(state, STATE_FIELDS, ("version", "phase", "phase_name", "checkpoint_name", "created_at",
                                                   "output_path"))
    if problem:
        return problem
    requests, answers = state.get("agent_requests", []), state.get("phase_data", {}).get("agent_answers", [])
    rows = [*requests, *state.get("completed_phases", []), *(answers if isinstance(answers, list) else [None])]
    if not all(isinstance(row, dict) for row in rows):
        return "agent_requests, completed_phases and agent_answers must be lists of objects"
    asked = {request.get("request_id"): request for request in requests if was_answered(request)}
    for answer in answers:
        response = answer.get("response")
        if response_problem(response) or not same_agent(asked.get(response["request_id"], {"phase": 0}), answer):
            return "an answer in agent_answers is none, or to nothing that was asked"
    return None


def refuse(problem, where=""):
    if problem:
        raise BridgeError(where + problem)


def is_a(value, kind):
    return isinstance(value, kind) and not isinstance(value, bool)


def same_agent(one, other):
    return (one.get("phase"), one.get("agent_name")) == (other.get("phase"), other.get("agent_name"))


def was_in_vain(request):
    return request.get("status") in ("failed", "rejected")


def was_answered(request):
    return request.get("status") not in (None, "pending", "rejected")


def record_of(request):
    return {"request_id": request["request_id"], "agent_name": request["agent_name"], "phase": request["phase"],
            "status": "pending", "fingerprint": fingerprint(request)}


def fingerprint(request):
    asked = {name: request.get(name, {}) for name in ("phase", "agent_name", "prompt", "context")}
    text = json.dumps(asked, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
