import { useEffect, useRef, useState } from 'react';
import type { JobView, RelayRow } from '../../client/index.js';
import { client } from '../live/client.js';

const PAGE = 50;

/**
 * The attempts between two numbers as they were at the view's moment, read as they are needed. All but the last one are
 * the same at every later moment, so they are read once.
 */
export function useRelay(view: JobView, from: number, until: number): ReadonlyMap<number, RelayRow> {
  const { job_id: run, event, attempts } = view;
  const known = useRef<{ run: string; ended: Map<number, RelayRow> }>({ run, ended: new Map() });
  const [last, setLast] = useState<{ event: number; row: RelayRow | null }>({ event: 0, row: null });
  const [, setRead] = useState(0);
  if (known.current.run !== run) known.current = { run, ended: new Map() };
  const { ended } = known.current;
  useEffect(() => {
    let over = false;
    const read = async (page: number): Promise<void> => {
      const { items } = await client.jobs.relay(run, { at: event, from: page * PAGE, limit: PAGE });
      for (const row of items) if (row.sequence < attempts - 1) ended.set(row.sequence, row);
      if (over) return;
      const newest = items.find(({ sequence }) => sequence === attempts - 1);
      if (newest) setLast({ event, row: newest });
      setRead((before) => before + 1);
    };
    for (const page of pagesOf(from, Math.min(until, attempts))) {
      const numbers = Array.from({ length: PAGE }, (_, index) => page * PAGE + index).filter((one) => one < attempts);
      if (numbers.some((one) => one === attempts - 1 || !ended.has(one))) read(page).catch(() => {});
    }
    return () => {
      over = true;
    };
  }, [run, event, attempts, from, until, ended]);
  const rows = new Map<number, RelayRow>();
  for (let one = from; one < Math.min(until, attempts - 1); one += 1) {
    const row = ended.get(one);
    if (row) rows.set(one, row);
  }
  const newest = last.row?.sequence === attempts - 1 && attempts <= until ? last.row : undefined;
  // What is known of it from a moment ago stays until the other is read, unless that one lies behind.
  if (newest && (last.event === event || last.event < event || newest.last_event <= event))
    rows.set(attempts - 1, newest);
  return rows;
}

function pagesOf(from: number, until: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(from / PAGE); page * PAGE < until; page += 1) pages.push(page);
  return pages;
}
