"""A foreign worker of an operator run: it claims tasks from `baton serve`, and needs Python's standard library alone.

    baton operator init plan.json                      # prints the run
    baton token create --role worker --name python
    BATON_URL=http://127.0.0.1:4770 BATON_TOKEN=... python3 worker.py RUN FOLDER

Claims one task after another until there is none, works in FOLDER, and hands in. What it claims it has for
`timeout_seconds` after its last heartbeat; then somebody else may get it, and whatever this one says afterwards is
refused by the number of its claim (`epoch`). Replace `work` by what you do; it may change what is in `lock_scope`.
"""

import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ["BATON_URL"]
TOKEN = os.environ["BATON_TOKEN"]
OWNER = os.environ.get("BATON_OWNER", "python")
TRIES = 5
ANSWER_SECONDS = 30


def post(path, body):
    """Sent again under the same key while no answer comes: it is the same act, however often it arrives."""
    key = str(uuid.uuid4())
    for tries in range(1, TRIES + 1):
        request = urllib.request.Request(
            URL + "/api/v1/ledgers/" + path,
            data=json.dumps(body).encode(),
            headers={
                "Authorization": "Bearer " + TOKEN,
                "Content-Type": "application/json",
                "Idempotency-Key": key,
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as response:
                return json.load(response)
        except urllib.error.HTTPError:
            raise
        except OSError:
            if tries == TRIES:
                raise
            time.sleep(tries)


class Heartbeats(threading.Thread):
    """Tells that the work goes on; `lost` when it is somebody else's by now."""

    def __init__(self, run, task, epoch):
        super().__init__(daemon=True)
        self.run_id, self.task, self.epoch = run, task, epoch
        self.over, self.lost = threading.Event(), threading.Event()

    def run(self):
        while not self.over.wait(self.task["heartbeat_interval_seconds"]):
            self.beat()

    def beat(self):
        try:
            post(self.run_id + "/heartbeats", {"task_id": self.task["task_id"], "epoch": self.epoch})
        except urllib.error.HTTPError as refusal:
            if json.load(refusal).get("code") in ("HANDOFF_LOST", "INVALID_TRANSITION"):
                self.lost.set()
        except OSError:
            pass  # the next one may come through


def work(task, folder):
    """Here: writes its title into each file of its scope. Returns what was changed, and what shows that it holds."""
    for resource in task["lock_scope"]:
        path = os.path.join(folder, resource)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(task["title"] + "\n")
    changes = [{"resource": one, "action": "created", "evidence": "written"} for one in task["lock_scope"]]
    checks = [
        {"criterion": one, "status": "pass", "evidence": "wrote " + ", ".join(task["lock_scope"])}
        for one in task["acceptance_criteria"]
    ]
    return changes, checks


def result_of(run, task, status, changes=(), checks=(), notes=()):
    return {
        "schema_version": "1.0.0",
        "run_id": run,
        "task_id": task["task_id"],
        "status": status,
        "changes": list(changes),
        "acceptance_check": list(checks),
        "worklog_path": task["worklog_path"],
        "notes_for_orchestrator": list(notes),
    }


def do(run, claim, folder):
    task, epoch = claim["assignment"]["task"], claim["epoch"]
    beats = Heartbeats(run, task, epoch)
    beats.beat()
    beats.start()
    try:
        result = result_of(run, task, "done", *work(task, folder))
    except Exception as problem:
        result = result_of(run, task, "failed", notes=[str(problem)[:500] or "it failed"])
    beats.over.set()
    if beats.lost.is_set():
        return "lost"
    try:
        post(run + "/results", {**result, "epoch": epoch})
        return result["status"]
    except urllib.error.HTTPError as refusal:
        return json.load(refusal).get("code")


def main(run, folder):
    while True:
        claim = post(run + "/claim", {"owner": OWNER})
        if claim["assignment"] is None:
            return
        print("%s: %s" % (claim["assignment"]["task"]["task_id"], do(run, claim, folder)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
