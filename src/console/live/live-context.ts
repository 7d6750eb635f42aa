import { createContext, useContext, useSyncExternalStore } from 'react';
import { Live, type LiveState } from './live.js';

export const LiveContext = createContext(new Live());

export function useLive(): LiveState {
  const live = useContext(LiveContext);
  return useSyncExternalStore(live.watch, () => live.state);
}
