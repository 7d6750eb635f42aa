import type { InboxItem, Run } from '../../client/index.js';
import { questionOf } from '../inbox/item-words.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf, StatusMark } from '../parts/status.js';
import { ROW_PX } from './use-window.js';

const ASKED: Readonly<Record<string, string>> = {
  ...{ approval: 'Approval', intervention: 'Intervention', protected: 'Protected', limit: 'Limit' },
  ...{ exec_approval: 'Command', patch_approval: 'Patch', login: 'Login', landing: 'Landing', blocker: 'Blocker' },
  ...{ clarification: 'Question', confirmation: 'Confirmation' },
};

/** Rows that are not drawn. */
export function Space({ rows, columns }: { rows: number; columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr>
      <td colSpan={columns} className="space" style={{ height: rows * ROW_PX }} />
    </tr>
  );
}

/** Where a person is asked, what for. */
export function RunState({ run, item }: { run: Run; item: InboxItem | undefined }) {
  const kind = item && ASKED[item.kind];
  if (kind === undefined || lookOf(run.status).tone === 'limit') {
    return <StatusMark status={run.status} waits={run.waiting_for !== null} />;
  }
  return (
    <span className="st you">
      <Glyph glyph="diamond" tone="you" />
      {kind}
    </span>
  );
}

export function You({ item }: { item: InboxItem }) {
  return (
    <span className="you">
      You: <Words text={questionOf(item)} />
    </span>
  );
}
