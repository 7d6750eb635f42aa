import { useLive } from '../live/live-context.js';
import { age } from './figures.js';

/** How long ago by the server's clock; exact when it is pointed at. */
export function Ago({ at }: { at: string }) {
  const { nowMs } = useLive();
  return (
    <time dateTime={at} title={at}>
      {age(nowMs - Date.parse(at))}
    </time>
  );
}
