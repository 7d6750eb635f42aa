import { useEffect, useRef, useState } from 'react';

export const SPEEDS = [1, 2, 8] as const;
type Speed = (typeof SPEEDS)[number];

/** At the slowest; each step is one tick. */
const STEP_MS = 500;

/** Steps on by itself until the present is reached. */
export function usePlaying(
  now: number,
  { events, per }: { events: number; per: number },
  move: (event: number) => void,
) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const kept = useRef({ now, events, per, move });
  kept.current = { now, events, per, move };
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const { now: at, events: all, per: step, move: go } = kept.current;
      if (at + step >= all) setPlaying(false);
      go(at + step);
    }, STEP_MS / speed);
    return () => clearInterval(timer);
  }, [playing, speed]);
  const toggle = (): void => {
    // From the present there is nothing to play: it begins at the beginning.
    if (!playing && now >= events) move(1);
    setPlaying(!playing);
  };
  return { playing, speed, toggle, setSpeed };
}
