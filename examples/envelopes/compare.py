"""Compares envelopes with the recorded ones: compare.py [--not-words] WANTED GOT [WANTED GOT ...]

Prints each difference with its place and exits with 1 when there is one. README.md says what is not compared.
"""

import json
import re
import sys

ANY_TIME = "2000-01-01T00:00:00.000Z"
TIMES = {"started_at", "completed_at", "timestamp"}
WORDS = {"termination_reason", "message", "reason", "hint", "error"}
RFC_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def differences(wanted, got, skip_words=False, path=""):
    key = path.rsplit("/", 1)[-1]
    if stands_for_any(key, wanted, got, skip_words):
        return
    if isinstance(wanted, dict) and isinstance(got, dict):
        for name in sorted(wanted.keys() | got.keys()):
            where = f"{path}/{name}"
            if name not in got:
                yield f"{where} is missing"
            elif name not in wanted:
                yield f"{where} should not be there"
            else:
                yield from differences(wanted[name], got[name], skip_words, where)
    elif isinstance(wanted, list) and isinstance(got, list):
        if len(wanted) != len(got):
            yield f"{path} has {len(got)} entries, not {len(wanted)}"
        for index, pair in enumerate(zip(wanted, got)):
            yield from differences(*pair, skip_words, f"{path}/{index}")
    elif isinstance(wanted, bool) != isinstance(got, bool) or wanted != got:
        yield f"{path} is {json.dumps(got)}, not {json.dumps(wanted)}"


def stands_for_any(key, wanted, got, skip_words):
    if key in TIMES and wanted == ANY_TIME:
        return isinstance(got, str) and RFC_3339.fullmatch(got) is not None
    if key == "duration_ms" and wanted == 0:
        return isinstance(got, (int, float)) and not isinstance(got, bool) and got >= 0
    if key == "confirmation_id" and isinstance(wanted, str):
        return isinstance(got, str) and got != ""
    return skip_words and key in WORDS and isinstance(wanted, str) and isinstance(got, str)


def read(file):
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)


def main(arguments):
    skip_words = "--not-words" in arguments
    files = [argument for argument in arguments if argument != "--not-words"]
    if not files or len(files) % 2:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    found = False
    for wanted, got in zip(files[::2], files[1::2]):
        for difference in differences(read(wanted), read(got), skip_words):
            found = True
            print(f"{wanted}: {difference}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
