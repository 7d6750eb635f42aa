import type { ModelScenario } from '../../src/testing/index.js';

/** One thing a client sends, and what it waits for before it goes on. `$response` is the last turn's response_id. */
export type Beat = { send: { id: string; op: Record<string, unknown> } } | { until: string };

/** A sequence diagram of the document, as a conversation that can be played. `sees`: the events of the diagram, in order. */
export type Diagram = {
  name: string;
  model: ModelScenario;
  beats: readonly Beat[];
  sees: readonly string[];
};

const says = (text: string, more: object = {}) => ({
  type: 'user_input',
  items: [{ type: 'text', text }],
  ...more,
});
const runs = (...command: string[]) => ({ name: 'exec_command', arguments: { command } });
const PATCH = '*** Begin Patch\n*** Add File: NOTES.md\n+There are two files.\n*** End Patch\n';

/** "Basic UI Flow": one input, a command that is asked for, a patch that is not, a message. */
export const BASIC_FLOW: Diagram = {
  name: 'Basic UI flow',
  model: {
    turns: [
      {
        steps: [
          {
            tool_calls: [
              { name: 'exec_command', arguments: { command: ['ls', '-A'], with_escalated_permissions: true } },
            ],
          },
          { tool_calls: [{ name: 'apply_patch', arguments: { input: PATCH } }] },
          { text: 'There are two files; I noted it.' },
        ],
      },
    ],
  },
  beats: [
    { send: { id: '1', op: { type: 'configure_session', cwd: '$cwd' } } },
    { until: 'session_configured' },
    { send: { id: '2', op: says('How many files are here? Note it.') } },
    { until: 'exec_approval_request' },
    { send: { id: '3', op: { type: 'exec_approval', id: '$call', decision: 'approved' } } },
    { until: 'task_complete' },
    { send: { id: '4', op: { type: 'shutdown' } } },
    { until: 'shutdown_complete' },
  ],
  sees: [
    ...['session_configured', 'task_started', 'exec_approval_request', 'exec_command_begin', 'exec_command_end'],
    ...['turn_complete', 'patch_apply_begin', 'patch_apply_end', 'turn_complete'],
    ...['agent_message', 'turn_complete', 'task_complete', 'shutdown_complete'],
  ],
};

/** "Task Interrupt": a task that is interrupted in its second command, and gone on with from its last response. */
export const TASK_INTERRUPT: Diagram = {
  name: 'Task interrupt',
  model: {
    turns: [
      {
        when: { prompt: 'wait for the build' },
        steps: [{ tool_calls: [runs('echo', 'first')] }, { tool_calls: [runs('sleep', '300')] }],
      },
      {
        when: { prompt: 'instead' },
        steps: [{ tool_calls: [runs('echo', 'second')] }, { text: 'Done without the build.' }],
      },
    ],
  },
  beats: [
    { send: { id: '1', op: { type: 'configure_session', cwd: '$cwd' } } },
    { send: { id: '2', op: says('Please wait for the build.') } },
    { until: 'turn_complete' },
    { until: 'exec_command_begin' },
    { send: { id: '3', op: { type: 'interrupt' } } },
    { until: 'error' },
    { send: { id: '4', op: says('Say hello instead.', { last_response_id: '$response' }) } },
    { until: 'task_complete' },
    { send: { id: '5', op: { type: 'shutdown' } } },
    { until: 'shutdown_complete' },
  ],
  sees: [
    ...['session_configured', 'task_started', 'exec_command_begin', 'exec_command_end', 'turn_complete'],
    ...['exec_command_begin', 'exec_command_end', 'error'],
    ...['task_started', 'exec_command_begin', 'exec_command_end', 'turn_complete'],
    ...['agent_message', 'turn_complete', 'task_complete', 'shutdown_complete'],
  ],
};
