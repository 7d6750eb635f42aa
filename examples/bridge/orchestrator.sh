#!/bin/sh
# One ask through the bridge with nothing but a shell: sh orchestrator.sh, or
# baton bridge run --agent claude -- sh orchestrator.sh
# It speaks the files itself. A program that asks more than once is better off with baton_bridge.py or baton/bridge.
set -eu

REQUEST=.agent-request.json
RESPONSE=.agent-response.json
STATE=.template-create-state.json

# What a field of a one-line text says. A quote inside a JSON string is escaped, so it cannot be taken for a field.
field() {
  tr -d '\n' <"$1" | sed -n 's/.*"'"$2"'"[[:space:]]*:[[:space:]]*"\([^"\\]*\)".*/\1/p'
}

# Readers see the old file or the whole new one.
replace() {
  cat >"$1.tmp"
  mv -f "$1.tmp" "$1"
}

new_id() {
  if [ -r /proc/sys/kernel/random/uuid ]; then cat /proc/sys/kernel/random/uuid; else uuidgen | tr A-F a-f; fi
}

# The state first: wherever this dies, the state or the request says what is next.
ask() {
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  replace "$STATE" <<END
{
  "version": "1.0",
  "phase": 1,
  "phase_name": "codebase_analysis",
  "checkpoint_name": "before_agent_invocation",
  "created_at": "$now",
  "output_path": ".",
  "agent_requests": [
    {"request_id": "$1", "agent_name": "architectural-reviewer", "phase": 1, "status": "pending"}
  ]
}
END
  replace "$REQUEST" <<END
{
  "request_id": "$1",
  "version": "1.0",
  "phase": 1,
  "phase_name": "codebase_analysis",
  "agent_name": "architectural-reviewer",
  "prompt": "# Codebase analysis\n\nLook at the files of this project and say in a few sentences what it does, how it is built and what a newcomer must know.",
  "context": {},
  "timeout_seconds": 120,
  "created_at": "$now",
  "retry_count": 0
}
END
  exit 42
}

resume=no
for argument in "$@"; do [ "$argument" = --resume ] && resume=yes; done

if [ "$resume" = no ] || [ ! -f "$STATE" ]; then
  rm -f "$REQUEST" "$RESPONSE"
  ask "$(new_id)"
fi

id=$(field "$STATE" request_id)
[ -f "$RESPONSE" ] || ask "$id"
if [ "$(field "$RESPONSE" request_id)" != "$id" ]; then
  mv -f "$RESPONSE" "$RESPONSE.rejected"
  ask "$(new_id)"
fi

status=$(field "$RESPONSE" status)
if [ "$status" != success ]; then
  echo "the agent's answer is $status" >&2
  rm -f "$REQUEST" "$RESPONSE" "$STATE"
  exit 1
fi
cp "$RESPONSE" answer.json.tmp
mv -f answer.json.tmp answer.json
rm -f "$REQUEST" "$RESPONSE" "$STATE"
