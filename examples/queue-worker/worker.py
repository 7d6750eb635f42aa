"""A worker that pulls its work from `baton serve`. Python's standard library is all it needs.

    baton agent register puller --adapter queue
    BATON_URL=http://127.0.0.1:4770 BATON_TOKEN=... python3 worker.py puller

Takes one handoff after another; with a number behind the agent's name only so many. Replace `work` by what you do.
"""

import json
import os
import sys
import threading
import urllib.error
import urllib.request

URL = os.environ["BATON_URL"]
TOKEN = os.environ["BATON_TOKEN"]
WAIT_SECONDS = 30
ANSWER_TRIES = 5


def post(path, body):
    """What the server says, or None where it has nothing to say (204)."""
    request = urllib.request.Request(
        URL + "/api/v1/handoffs" + path,
        data=json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=WAIT_SECONDS + 30) as response:
        return json.load(response) if response.status != 204 else None


def code_of(refusal):
    return json.load(refusal).get("code")


class SignsOfLife(threading.Thread):
    """Whoever is silent for longer than its lease loses the work to somebody else."""

    def __init__(self, handoff):
        super().__init__(daemon=True)
        self.handoff = handoff
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(self.handoff["lease_seconds"] / 3):
            try:
                report(self.handoff, "heartbeat")
            except urllib.error.HTTPError as refusal:
                if code_of(refusal) == "HANDOFF_LOST":
                    return
            except OSError:
                pass  # the next one may come through


def report(handoff, verb, **said):
    return post("/%s/%s" % (handoff["handoff"], verb), {"token": handoff["token"], **said})


def answer(handoff, result):
    """The same answer may be given again: who does not hear that it was taken says it once more."""
    for tries in range(1, ANSWER_TRIES + 1):
        try:
            return report(handoff, "answer", answer=result)
        except urllib.error.HTTPError:
            raise
        except OSError:
            if tries == ANSWER_TRIES:
                raise


def work(handoff):
    """Here: counts the words of the task, and says so."""
    task = json.dumps(handoff["request"])
    report(handoff, "log", text="Reading %d characters.\n" % len(task))
    summary = "Read %d words." % len(task.split())
    return {"action": "COMPLETED", "evidence_files": [], "summary_for_supervisor": summary}


def main(agent, handoffs):
    done = 0
    while handoffs is None or done < handoffs:
        handoff = post("/claim", {"agent": agent, "wait": WAIT_SECONDS})
        if handoff is None:
            continue
        signs = SignsOfLife(handoff)
        signs.start()
        try:
            result = work(handoff)
        except Exception as problem:
            signs.over.set()
            report(handoff, "fail", failure="crash", reason=str(problem)[:500])
            raise
        signs.over.set()
        answer(handoff, result)
        done += 1
        print("%s: %s" % (handoff["handoff"], result["action"]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
