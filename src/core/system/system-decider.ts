import { overlaps, resourceOf } from '../../contracts/shared/resource.js';
import { TOKENS_MAX } from '../access/token.js';
import { type Decider, type Decision, refuse } from '../kernel/decider.js';
import type { PathClaim } from '../kernel/effect.js';
import type { InboxChange } from '../kernel/inbox.js';
import { LOGIN_LOOK_MS } from '../kernel/provider-wait.js';
import { KEPT } from '../kernel/run-summary.js';
import { SYSTEM_KIND } from '../kernel/system-run.js';
import { unreachable } from '../kernel/unreachable.js';
import { isExpired } from '../policy/rule.js';
import { NOTIFIERS_MAX } from './notifier.js';
import { budgetInbox, decideBudget, evolveBudget } from './system-budgets.js';
import type { BudgetEvent, ClosedLogin, SystemCommand, SystemEvent, SystemState } from './system-messages.js';

type Outcome = Decision<SystemEvent>;
type Command<Type extends SystemCommand['type']> = Extract<SystemCommand, { type: Type }>;
const NOTHING: Outcome = { events: [] };
export const RULES_MAX = 1_000;

/** Housekeeping that several runs share: path locks, logins that cannot be used now, rules about commands, tokens, budgets. */
export const systemDecider: Decider<SystemCommand, SystemEvent, SystemState> = {
  kind: SYSTEM_KIND,
  version: 4,
  initialState: () => ({
    ...{ lockings: 0, losses: 0, rulings: 0, budgetQuestions: 0 },
    ...{ locks: new Map(), logins: new Map(), rules: new Map(), tokens: new Map(), notifiers: new Map() },
    budgets: new Map(),
  }),
  decide,
  evolve,
  outstanding: () => [],
  summary: () => ({ ...KEPT, status: 'active', title: 'housekeeping' }),
  inbox,
  snapshot: {
    encode: (state) => ({
      ...state,
      locks: [...state.locks],
      logins: [...state.logins],
      rules: [...state.rules],
      tokens: [...state.tokens],
      notifiers: [...state.notifiers],
      budgets: [...state.budgets],
    }),
    decode(json) {
      const { locks, logins, rules, tokens, notifiers, budgets, ...counts } = json as Kept;
      return {
        ...counts,
        ...{ locks: new Map(locks), logins: new Map(logins), rules: new Map(rules), tokens: new Map(tokens) },
        ...{ notifiers: new Map(notifiers), budgets: new Map(budgets) },
      };
    },
  },
};

type Kept = Pick<SystemState, 'lockings' | 'losses' | 'rulings' | 'budgetQuestions'> & {
  locks: [];
  logins: [];
  rules: [];
  tokens: [];
  notifiers: [];
  budgets: [];
};

function decide(state: Readonly<SystemState>, command: SystemCommand): Outcome {
  switch (command.type) {
    case 'Lock':
      return lock(state, command);
    case 'Unlock': {
      const { atMs, holder, token } = command;
      // Whoever has locked them again since has gone on.
      if (state.locks.get(holder)?.token !== token) return NOTHING;
      return { events: [{ type: 'PathsUnlocked', atMs, holder }] };
    }
    case 'LoseLogin': {
      const { atMs, login } = command;
      if (isLost(state.logins.get(login))) return NOTHING;
      const loss = state.losses + 1;
      return { events: [{ type: 'LoginLost', atMs, login, untilMs: atMs + LOGIN_LOOK_MS, loss }] };
    }
    case 'LimitLogin': {
      const { atMs, login, untilMs } = command;
      const known = state.logins.get(login);
      if (known && (isLost(known) || known.untilMs >= untilMs)) return NOTHING;
      return { events: [{ type: 'LoginLimited', atMs, login, untilMs }] };
    }
    case 'TryLogin':
      return tryLogin(state, command);
    case 'TryLoginNow': {
      const { atMs, login } = command;
      return state.logins.has(login) ? { events: [{ type: 'LoginTried', atMs, login, untilMs: atMs }] } : NOTHING;
    }
    case 'FindLogin': {
      const { atMs, login } = command;
      const known = state.logins.get(login);
      return known ? { events: [{ type: 'LoginFound', atMs, login, loss: known.loss }] } : NOTHING;
    }
    case 'AddRule':
      return addRule(state, command);
    case 'RemoveRule': {
      const { atMs, id } = command;
      if (!state.rules.has(id)) return refuse('RULE_NOT_FOUND', `there is no rule ${id}`, { id });
      return { events: [{ type: 'RuleRemoved', atMs, id, why: 'taken-back' }] };
    }
    case 'AddToken':
      return addToken(state, command);
    case 'RevokeToken': {
      const { atMs, name } = command;
      if (!state.tokens.has(name)) return refuse('TOKEN_NOT_FOUND', `there is no token ${name}`, { name });
      return { events: [{ type: 'TokenRevoked', atMs, name }] };
    }
    case 'AddNotifier':
      return addNotifier(state, command);
    case 'RemoveNotifier': {
      const { atMs, name } = command;
      if (!state.notifiers.has(name)) return refuse('NOTIFIER_NOT_FOUND', `there is no notifier ${name}`, { name });
      return { events: [{ type: 'NotifierRemoved', atMs, name }] };
    }
    case 'NoteUntold': {
      const { atMs, name, run, reason } = command;
      return { events: [{ type: 'NoticeFailed', atMs, name, run, reason }] };
    }
    case 'NoteRefused':
      return { events: [{ type: 'RequestsRefused', atMs: command.atMs, refused: command.refused }] };
    case 'SetBudget':
    case 'RaiseBudget':
    case 'LeaveBudget':
    case 'NoteBudget':
    case 'NoteBudgetTold':
      return decideBudget(state, command);
    default:
      return NOTHING; // it owes nothing, so no result concerns it
  }
}

/** All of them or none. Locking again what one has makes a new token. */
function lock({ locks, lockings }: SystemState, { atMs, holder, scope, resources }: Command<'Lock'>): Outcome {
  const wanted = resources.map(resourceOf);
  for (const [other, held] of locks) {
    if (other === holder || held.scope !== scope) continue;
    const pair = firstOverlap(wanted, held);
    if (pair) {
      return refuse('LOCK_CONFLICT', `${pair.wanted} is locked by ${other} (${pair.held})`, { holder: other, ...pair });
    }
  }
  return { events: [{ type: 'PathsLocked', atMs, holder, token: lockings + 1, scope, resources: wanted }] };
}

function firstOverlap(wanted: readonly string[], held: PathClaim): { wanted: string; held: string } | undefined {
  for (const one of wanted) {
    const other = held.resources.find((resource) => overlaps(one, resource));
    if (other !== undefined) return { wanted: one, held: other };
  }
  return undefined;
}

/** One at a time: the others wait for what comes of it. */
function tryLogin({ logins }: SystemState, { atMs, login }: Command<'TryLogin'>): Outcome {
  const known = logins.get(login);
  if (!known || !isLost(known)) return NOTHING;
  if (atMs < known.untilMs) return refuse('INVALID_TRANSITION', `${login} is being tried by somebody else`);
  return { events: [{ type: 'LoginTried', atMs, login, untilMs: atMs + LOGIN_LOOK_MS }] };
}

/** Rules that have ended make room, so that there are never more than a person made and wants. */
function addRule({ rules, rulings }: SystemState, { atMs, rule }: Command<'AddRule'>): Outcome {
  const { argv, folder, host, expires_at } = rule;
  if (!argv?.length && folder === undefined && host === undefined) {
    return refuse('SCHEMA_INVALID', 'a rule names a command, a folder or a host', { path: '/argv' });
  }
  if (isExpired(expires_at, atMs))
    return refuse('SCHEMA_INVALID', 'the rule has ended already', { path: '/expires_at' });
  const ended = [...rules].filter(([, one]) => isExpired(one.expires_at, atMs)).map(([id]) => id);
  if (rules.size - ended.length >= RULES_MAX) {
    return refuse('RULES_FULL', `there are ${RULES_MAX} rules already`, { rules_max: RULES_MAX });
  }
  return {
    events: [
      ...ended.map((id): SystemEvent => ({ type: 'RuleRemoved', atMs, id, why: 'expired' })),
      { type: 'RuleAdded', atMs, id: rulings + 1, rule },
    ],
  };
}

/** A name is a person or a program; a new token of the same name is another one, once the old one has ended. */
function addToken({ tokens }: SystemState, { atMs, token }: Command<'AddToken'>): Outcome {
  if (isExpired(token.expiresAt, atMs)) {
    return refuse('SCHEMA_INVALID', 'the token would have ended already', { path: '/expires_at' });
  }
  const ended = [...tokens.values()].filter(({ expiresAt }) => isExpired(expiresAt, atMs)).map(({ name }) => name);
  if (tokens.has(token.name) && !ended.includes(token.name)) {
    return refuse('ID_TAKEN', `there is a token ${token.name} already`, { name: token.name });
  }
  if (tokens.size - ended.length >= TOKENS_MAX) {
    return refuse('TOKENS_FULL', `there are ${TOKENS_MAX} tokens already`, { tokens_max: TOKENS_MAX });
  }
  return {
    events: [
      ...ended.map((name): SystemEvent => ({ type: 'TokenRevoked', atMs, name })),
      { type: 'TokenAdded', atMs, token },
    ],
  };
}

function addNotifier({ notifiers }: SystemState, { atMs, notifier }: Command<'AddNotifier'>): Outcome {
  const { name } = notifier;
  if (notifiers.has(name)) return refuse('ID_TAKEN', `there is a notifier ${name} already`, { name });
  if (notifiers.size >= NOTIFIERS_MAX) {
    return refuse('NOTIFIERS_FULL', `there are ${NOTIFIERS_MAX} notifiers already`, { notifiers_max: NOTIFIERS_MAX });
  }
  return { events: [{ type: 'NotifierAdded', atMs, notifier }] };
}

function evolve(state: SystemState, event: SystemEvent): SystemState {
  switch (event.type) {
    case 'PathsLocked': {
      const { holder, token, scope, resources } = event;
      state.lockings = token;
      state.locks.set(holder, { token, scope, resources });
      return state;
    }
    case 'PathsUnlocked':
      state.locks.delete(event.holder);
      return state;
    case 'LoginLost':
      state.losses = event.loss;
      state.logins.set(event.login, { loss: event.loss, untilMs: event.untilMs });
      return state;
    case 'LoginLimited':
      state.logins.set(event.login, { loss: null, untilMs: event.untilMs });
      return state;
    case 'LoginTried': {
      const loss = state.logins.get(event.login)?.loss ?? null;
      state.logins.set(event.login, { loss, untilMs: event.untilMs });
      return state;
    }
    case 'LoginFound':
      state.logins.delete(event.login);
      return state;
    case 'RuleAdded':
      state.rulings = event.id;
      state.rules.set(event.id, event.rule);
      return state;
    case 'RuleRemoved':
      state.rules.delete(event.id);
      return state;
    case 'TokenAdded':
      state.tokens.set(event.token.name, event.token);
      return state;
    case 'TokenRevoked':
      state.tokens.delete(event.name);
      return state;
    case 'NotifierAdded':
      state.notifiers.set(event.notifier.name, event.notifier);
      return state;
    case 'NotifierRemoved':
      state.notifiers.delete(event.name);
      return state;
    case 'NoticeFailed':
    case 'RequestsRefused':
      return state;
    case 'BudgetSet':
    case 'BudgetRemoved':
    case 'BudgetNear':
    case 'BudgetUsed':
    case 'BudgetTold':
    case 'BudgetLeft':
    case 'BudgetRenewed':
      return evolveBudget(state, event);
    default:
      return unreachable(event);
  }
}

/** One question per login, however many runs wait for it. */
function inbox(event: SystemEvent): InboxChange | undefined {
  if (event.type === 'LoginFound') return event.loss === null ? undefined : { close: keyOf(event.loss) };
  if (event.type.startsWith('Budget')) return budgetInbox(event as BudgetEvent);
  if (event.type !== 'LoginLost') return undefined;
  const { login, loss } = event;
  const question = `Log ${login} in. Everything that waits for it then goes on by itself.`;
  return { open: { key: keyOf(loss), kind: 'login', title: `${login} is not logged in`, question } };
}

function keyOf(loss: number): string {
  return `login-${loss}`;
}

export function isLost(login: ClosedLogin | undefined): boolean {
  return login !== undefined && login.loss !== null;
}
