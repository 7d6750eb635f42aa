import { describe, expect, test } from 'vitest';
import { AgentInvocationError } from './agent-invocation-error.js';
import { MockAgentInvoker } from './mock-agent-invoker.js';

describe('the mock agent invoker', () => {
  test('answers what its map has for an agent [R212, R216]', () => {
    expect(new MockAgentInvoker({ reviewer: '{"a":1}' }).invoke('reviewer', 'Look.')).toBe('{"a":1}');
  });

  test('is told answers later, as text or as an object [R213, R214]', () => {
    const mock = new MockAgentInvoker({ reviewer: 'old' });
    mock.addResponse('reviewer', 'new');
    mock.addResponseFromDict('enhancer', { overall_confidence: 0.92 });
    expect(mock.invoke('reviewer', 'Look.')).toBe('new');
    expect(mock.invoke('enhancer', 'Better.')).toBe('{"overall_confidence":0.92}');
  });

  test('remembers each call, for all agents or for one, until it is reset [R215, R218, R219]', () => {
    const mock = new MockAgentInvoker({ reviewer: 'a', enhancer: 'b' });
    mock.invoke('reviewer', 'Look.');
    mock.invoke('enhancer', 'Better.', 60, { phase: 7 });
    const first = { agent_name: 'reviewer', prompt: 'Look.', timeout_seconds: 120, kwargs: {} };
    const second = { agent_name: 'enhancer', prompt: 'Better.', timeout_seconds: 60, kwargs: { phase: 7 } };
    expect(mock.getInvocations()).toEqual([first, second]);
    expect(mock.getInvocations('enhancer')).toEqual([second]);
    mock.reset();
    expect(mock.getInvocations()).toEqual([]);
    expect(mock.invoke('reviewer', 'Look.')).toBe('a');
  });

  test('throws for an agent it knows nothing of, and remembers that call too [R217]', () => {
    const mock = new MockAgentInvoker();
    expect(() => mock.invoke('toString', 'Look.')).toThrow(AgentInvocationError);
    expect(() => mock.invoke('nobody', 'Look.')).toThrow('No mock response configured for agent: nobody');
    expect(mock.getInvocations('nobody')).toHaveLength(1);
  });
});
