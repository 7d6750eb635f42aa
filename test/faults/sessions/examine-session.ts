import type { PlayedSession } from './played-session.js';
import { FILES } from './session-stage.js';

/** What is looked at of a session, however it was played. */
export type Examinable = Pick<PlayedSession, 'name' | 'story' | 'denies' | 'acknowledged' | 'lines'>;
type Found = { lost: string[]; twice: string[]; other: string[] };

/** Everything that must hold for a session that was played to its end. */
export function examineSession(session: Examinable): Found {
  const { name, story } = session;
  const files = FILES.map((file) => examineCommand(session, file));
  const resolved = story.of('approval_resolved');
  const forgotten = session.acknowledged.filter(
    ({ call, decision }) => !resolved.some((one) => one.call_id === call && one.decision === decision),
  );
  return {
    lost: [
      ...files.flatMap(({ lost }) => lost),
      ...forgotten.map(({ call, decision }) => `${name}: ${decision} for ${call} was acknowledged and is gone`),
    ],
    twice: files.flatMap(({ twice }) => twice),
    other: [
      ...story.problems.map((one) => `${name}: ${one}`),
      ...taskProblems(session),
      ...files.flatMap((f) => f.other),
    ],
  };
}

/** Each task is told to begin once and to be complete once. */
function taskProblems({ name, story }: Examinable): string[] {
  return ['go', 'more'].flatMap((task) => {
    const ends = story.endsOf(task).map(({ msg }) => msg.type);
    const starts = story.events.filter(({ id, msg }) => id === task && msg.type === 'task_started').length;
    const isRight = starts === 1 && ends.length === 1 && ends[0] === 'task_complete';
    return isRight
      ? []
      : [`${name}: the task ${task} started ${starts} times and ended with ${ends.join(', ') || 'nothing'}`];
  });
}

/** What the events say about one command, against the lines that it has left. */
function examineCommand(session: Examinable, file: string): Found {
  const { name, story, denies } = session;
  const asked = story.of('exec_approval_request').filter(({ command }) => command.join(' ').includes(file));
  const calls = new Set(asked.map(({ call_id }) => call_id));
  const ofThese = <One extends { call_id: string }>(all: readonly One[]) => all.filter((one) => calls.has(one.call_id));
  const yes = ofThese(story.of('approval_resolved')).filter(({ decision }) => decision === 'approved');
  const begun = story.of('exec_command_begin').filter(({ command }) => command.join(' ').includes(file));
  const ended = ofThese(story.of('exec_command_end'));
  const unknown = ended.filter((end) => end.unknown === true);
  const ran = session.lines(file);
  const where = `${name}: ${file}`;
  const byCall = [...calls].flatMap((call) => {
    const times = begun.filter(({ call_id }) => call_id === call).length;
    const answers = yes.filter(({ call_id }) => call_id === call).length;
    if (times <= 1 && times === answers) return [];
    return [`${where}: ${call} began ${times} times on ${answers} times yes`];
  });
  return {
    lost: [
      ...(ran < ended.length - unknown.length ? [`${where} ended ${ended.length} times and ran ${ran} times`] : []),
      ...(unknown.length === 0 && ran < yes.length
        ? [`${where} was allowed ${yes.length} times and ran ${ran} times`]
        : []),
    ],
    twice: [
      ...(ran > yes.length ? [`${where} ran ${ran} times on ${yes.length} times yes`] : []),
      ...byCall,
      ...(asked.length < calls.size || begun.some(({ call_id }) => !calls.has(call_id))
        ? [`${where} began by itself`]
        : []),
    ],
    other: [
      ...(denies && ran > 0 ? [`${where} ran and was forbidden`] : []),
      ...againProblems(where, asked, unknown.length),
    ],
  };
}

/** Asked once, and once more for each time it was cut off: as something else, and saying so. */
function againProblems(
  where: string,
  asked: readonly { call_id: string; again?: unknown }[],
  cutOff: number,
): string[] {
  const names = new Set(asked.map(({ call_id }) => call_id));
  const again = asked.filter((one) => one.again === true).length;
  if (names.size === asked.length && again === cutOff && asked.length === cutOff + 1) return [];
  return [`${where} was asked for ${asked.length} times, ${again} of them again, after ${cutOff} times cut off`];
}
