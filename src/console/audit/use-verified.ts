import { useCallback, useEffect, useRef, useState } from 'react';
import { BatonError, type System, type Verified } from '../../client/index.js';
import { client } from '../live/client.js';
import { useReadSystem } from '../live/live-context.js';

export type Outcome = { at: number; verified: Verified | null; error: string | null };
export type Progress = System['chain']['checking'];

const LOOK_MS = 300;

/** Verifies the whole log when it is asked to, and says meanwhile how far that is. */
export function useVerified() {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [progress, setProgress] = useState<Progress | 'begins'>(null);
  const readSystem = useReadSystem();
  const told = useRef(readSystem);
  told.current = readSystem;
  const verify = useCallback(async (): Promise<void> => {
    setProgress('begins');
    const looking = setInterval(() => {
      client.system().then(
        ({ chain }) => setProgress((before) => (before === null ? null : (chain.checking ?? 'begins'))),
        () => {},
      );
    }, LOOK_MS);
    try {
      setOutcome({ at: Date.now(), verified: await client.audit.verify(), error: null });
    } catch (failure) {
      setOutcome({ at: Date.now(), verified: null, error: problemWords(failure) });
    }
    clearInterval(looking);
    setProgress(null);
    told.current();
  }, []);
  useEffect(() => void verify(), [verify]);
  return { outcome, progress, verify };
}

export function problemWords(failure: unknown): string {
  return failure instanceof BatonError ? `${failure.message} (${failure.code})` : String(failure);
}
