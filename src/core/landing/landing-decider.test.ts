import { describe, expect, test } from 'vitest';
import {
  type LandingCommand,
  type LandingOrder,
  type LandingState,
  type LandOutcome,
  landingDecider,
} from './landing-decider.js';

const ORDER: LandingOrder = {
  ...{ job: 'j', title: 'a job', folder: '/repo', into: null, squash: false, checks: [], env: [] },
};
const LAND: LandingCommand = { type: 'Land', atMs: 1, order: ORDER };
const said = (number: number, result: LandOutcome): LandingCommand => {
  return { type: 'Performed', atMs: 2, key: `land-${number}`, result };
};
const CONFLICT: LandOutcome = { type: 'conflict', files: ['a.js'] };
const LANDED: LandOutcome = { type: 'landed', from: 'a', to: 'b', ref: 'refs/heads/main', files: 1 };

function told(...commands: LandingCommand[]): { state: LandingState; inbox: string[]; refused: string[] } {
  let state = landingDecider.initialState();
  const inbox: string[] = [];
  const refused: string[] = [];
  for (const command of commands) {
    const decision = landingDecider.decide(state, command);
    if ('refusal' in decision) refused.push(decision.refusal.code);
    for (const event of 'events' in decision ? decision.events : []) {
      state = landingDecider.evolve(state, event);
      const change = landingDecider.inbox(event);
      if (change) inbox.push('open' in change ? `+${change.open.key}` : `-${change.close}`);
    }
  }
  return { state, inbox, refused };
}

describe('a landing', () => {
  test('ends when the branch has moved', () => {
    const { state } = told(LAND, said(1, LANDED));
    expect([state.status, landingDecider.summary(state).ended]).toEqual(['landed', true]);
  });

  test('is done again when somebody else moved the branch meanwhile', () => {
    const { state } = told(LAND, said(1, { type: 'moved' }));
    expect([...landingDecider.outstanding(state)].map(({ key }) => key)).toEqual(['land-2']);
  });

  test('that conflicts asks a person, who may send it back or try again', () => {
    const back = told(LAND, said(1, CONFLICT), { type: 'SendBack', atMs: 3, job: 'k' });
    const again = told(LAND, said(1, CONFLICT), LAND);
    expect([back.state.status, back.inbox]).toEqual(['sent-back', ['+landing-1', '-landing-1']]);
    expect([again.state.status, again.inbox]).toEqual(['landing', ['+landing-1', '-landing-1']]);
  });

  test('is refused when what came of it cannot be kept', () => {
    const usage = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
    const failed: LandingCommand = {
      type: 'Failed',
      atMs: 2,
      key: 'land-1',
      failure: 'refused',
      reason: 'long',
      usage,
    };
    expect(told(LAND, failed).state.status).toBe('refused');
  });

  test('takes nothing while it is under way or done, and no late word of an earlier try', () => {
    expect(told(LAND, LAND).refused).toEqual(['INVALID_TRANSITION']);
    expect(told(LAND, said(1, LANDED), LAND).refused).toEqual(['INVALID_TRANSITION']);
    expect(told(LAND, said(1, { type: 'moved' }), said(1, LANDED)).state.status).toBe('landing');
    expect(told(LAND, { type: 'Drop', atMs: 3 }).refused).toEqual(['INVALID_TRANSITION']);
  });
});
