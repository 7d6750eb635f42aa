import { RawConnection, type Reply, type Target } from './raw-http.js';

/** `status code` that is the refusal; `closed` where a connection is cut without a word; `404 *` for any code. */
export type Attack = {
  name: string;
  refusals: readonly string[];
  /** Takes long by its nature: left out of the short run. */
  slow?: boolean;
  try(target: Target): Promise<Reply>;
};

export type Result = { name: string; said: string; refused: boolean };

export async function tryAttack(attack: Attack, target: Target): Promise<Result> {
  const reply = await attack.try(target).catch((problem) => String(problem));
  const said = typeof reply === 'string' ? reply : describe(reply);
  return { name: attack.name, said, refused: attack.refusals.includes(said) };
}

/** Several answers on one connection are told one after another. */
function describe({ statuses, code, closed }: Reply): string {
  if (statuses.length === 0) return closed ? 'closed' : 'no answer';
  return `${statuses.join(', ')} ${code ?? '-'}`;
}

export function sends(
  name: string,
  refusal: string | readonly string[],
  text: (target: Target) => string | Uint8Array,
): Attack {
  const refusals = typeof refusal === 'string' ? [refusal] : refusal;
  return { name, refusals, try: (target) => exchange(target, text(target)) };
}

export async function exchange(target: Target, text: string | Uint8Array, answers = 1): Promise<Reply> {
  const connection = await RawConnection.open(target);
  try {
    void connection.write(text);
    return await connection.reply(answers);
  } finally {
    connection.end();
  }
}
