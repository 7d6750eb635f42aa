"""Three asks through the bridge, and a result: python3 orchestrator.py, or under a handler:

    baton bridge run --agent claude -- python3 orchestrator.py

The working directory holds the files of the bridge while it runs, and `result.json` at the end.
"""

import json
import os
import sys

from baton_bridge import Bridge, BridgeError

ANALYSIS = (
    "# Codebase analysis\n\nLook at the files of this project. Answer with one JSON object: primary_language, a word, "
    "and overall_confidence, a number from 0 to 1."
)
CREATION = (
    "# Agent creation\n\nThe project is written in {language}. Name the one specialist that would help most with work "
    "on it, and say in a sentence what it is for. Answer with plain text."
)
ENHANCEMENT = (
    "# Agent enhancement\n\nImprove this description of an agent, keep its purpose, and add one worked example. Answer "
    "with the complete text.\n\n{description}"
)


def main():
    bridge = Bridge(log=print)

    analysis = bridge.ask(1, "codebase_analysis", "architectural-reviewer", ANALYSIS, read=language_in,
                          fallback=lambda why: "unknown")
    bridge.data["language"] = analysis.value
    bridge.completed(1, "codebase_analysis", "The language is " + analysis.value)

    created = bridge.ask(6, "agent_creation", "architectural-reviewer", CREATION.format(language=analysis.value))
    bridge.completed(6, "agent_creation", "Described one agent")

    enhanced = bridge.ask(7, "agent_enhancement", "agent-content-enhancer",
                          ENHANCEMENT.format(description=created.value), fallback=lambda why: created.value)
    bridge.completed(7, "agent_enhancement", "Enhanced one agent")

    write_result({"language": analysis.value, "agent": created.value, "enhanced": enhanced.value})
    bridge.finish()


def language_in(text):
    return json.loads(text)["primary_language"]


def write_result(result):
    """Whole or not at all: whoever is killed here is resumed and writes it again."""
    with open("result.json.tmp", "w", encoding="utf-8") as file:
        file.write(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    os.replace("result.json.tmp", "result.json")


if __name__ == "__main__":
    try:
        main()
    except BridgeError as problem:
        sys.exit("orchestrator: %s" % problem)
