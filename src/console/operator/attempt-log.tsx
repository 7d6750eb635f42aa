import { client } from '../live/client.js';
import { useLive } from '../live/live-context.js';
import { useLoaded } from '../live/use-loaded.js';
import { Lines, Words } from '../parts/shown-text.js';

const LOOK_AGAIN_S = 2;

/** What the agent printed. It is no event: while it works it is looked at now and then. */
export function AttemptLog({ run, version, over }: { run: string; version: number; over: boolean }) {
  const { nowMs } = useLive();
  const looked = over ? version : Math.floor(nowMs / 1_000 / LOOK_AGAIN_S);
  const { value, error } = useLoaded(`log ${run}`, looked, () => client.runLog(run));
  if (error && !value) {
    return (
      <p className="in t2">
        <Words text={error.message} />
      </p>
    );
  }
  return <Lines text={value?.text || (value ? 'Nothing was printed.' : '')} className="log in pre" />;
}
