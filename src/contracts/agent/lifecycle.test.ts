import { expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { lifecycleEvent } from './lifecycle-event.js';
import { lifecycleTransition } from './lifecycle-transition.js';

const STATES = [
  'Defined',
  'Provisioning',
  'Initialized',
  'Running',
  'Paused',
  'Maintaining',
  'Evolving',
  'Retiring',
  'Retired',
];
const EVENTS = ['Created', 'Started', 'Retired', 'ErrorOccurred'];

test('an agent moves between the nine states of the document, spelt as there [R566–R574]', () => {
  for (const state of STATES) {
    expect(check(lifecycleTransition, { agent_id: 'a', to: state })).toMatchObject({ allow: true });
    expect(check(lifecycleTransition, { agent_id: 'a', to: state.toLowerCase() })).toMatchObject({
      code: 'SCHEMA_INVALID',
    });
    expect(check(lifecycleEvent, { agent_id: 'a', event: 'Started', from: state, to: state })).toMatchObject({
      allow: true,
    });
  }
});

test('the events of an agent’s life are those of the document [R575–R578]', () => {
  for (const event of EVENTS) {
    expect(check(lifecycleEvent, { agent_id: 'a', event, from: null, to: 'Defined' })).toMatchObject({ allow: true });
  }
  expect(check(lifecycleEvent, { agent_id: 'a', event: 'Exploded', from: null, to: 'Defined' })).toMatchObject({
    code: 'SCHEMA_INVALID',
    details: { path: '/event' },
  });
});
