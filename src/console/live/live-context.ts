import { createContext, useContext, useSyncExternalStore } from 'react';
import { Live, type LiveState } from './live.js';

export const LiveContext = createContext(new Live());

export function useLive(): LiveState {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live.watch, () => live.state);
}

/** Asks the server again how it stands, without waiting until that is due. */
export function useReadSystem(): () => void {
  const live = useContext(LiveContext);
  return () => void live.readSystem().catch(() => {});
}
