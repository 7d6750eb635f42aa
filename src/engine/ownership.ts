import type { EffectResult } from '../core/kernel/effect.js';

/**
 * Who may append what. Commands come from anyone with the role: the machine judges them, and a lost race is decided
 * again. What became of an effect only the owner may say, and only while it is the owner: the store refuses it
 * otherwise, and the former owner forgets the run.
 */
const OWNER_ONLY: Readonly<Record<EffectResult['type'], true>> = {
  Answered: true,
  Failed: true,
  Asks: true,
  Lost: true,
  Executed: true,
  Performed: true,
  Woke: true,
  Ended: true,
  Told: true,
  Notified: true,
  Admitted: true,
  Parked: true,
  Afforded: true,
};

export function isOwnerOnly(command: { type: string }): boolean {
  return Object.hasOwn(OWNER_ONLY, command.type);
}

/** What an owner may have left under way in the world when it died. Everything else is simply begun again. */
export function leavesSomethingBehind(effect: { type: string }): boolean {
  return effect.type === 'Ask' || effect.type === 'Exec' || effect.type === 'Perform';
}
