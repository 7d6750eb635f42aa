"""The two ways to Baton: a program that reads an envelope and prints one, and the same over HTTP."""

import json
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from generic_envelope import GenericEnvelope

MOVED_ON, REFUSED, WAITS, BOUND = 0, 1, 3, 4
TIMEOUT_S = 300


class Refused(Exception):
    """What Baton says instead of an envelope: {"error": true, "message", "code", "reason", "hint", "details"}."""

    def __init__(self, said):
        super().__init__(said.get("message") or said.get("reason"))
        self.code = said.get("code")
        self.hint = said.get("hint")
        self.details = said.get("details", {})


def by_program(baton, agent, *options):
    """`baton envelope process`: the envelope on standard input, the next one on standard output."""

    def process(envelope):
        command = [*baton, "envelope", "process", "--agent", agent, *options]
        sent = json.dumps(envelope.to_state_dict())
        ended = subprocess.run(command, input=sent, stdout=subprocess.PIPE, text=True, timeout=TIMEOUT_S, check=False)
        if ended.returncode not in (MOVED_ON, REFUSED, WAITS, BOUND):
            raise RuntimeError(f"baton ended with {ended.returncode}")
        return _read(json.loads(ended.stdout))

    return process


def by_http(url, token, **query):
    """`POST /api/v1/process`: the same envelopes, and the same refusals with a status of 4xx."""

    def process(envelope):
        request = urllib.request.Request(
            f"{url}/api/v1/process?{urllib.parse.urlencode(query)}",
            data=json.dumps(envelope.to_state_dict()).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:
                return _read(json.load(response))
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise Refused(json.load(refusal)) from None

    return process


def _read(said):
    if said.get("error") is True:
        raise Refused(said)
    return GenericEnvelope.from_state_dict(said)
