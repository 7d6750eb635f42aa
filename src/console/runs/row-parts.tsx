import type { ReactNode } from 'react';
import type { InboxItem, Run } from '../../client/index.js';
import { Link } from '../frame/link.js';
import { questionOf } from '../inbox/item-words.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf, StatusMark } from '../parts/status.js';
import { IS_SMALL, ROW_PX } from './use-window.js';

const ASKED: Readonly<Record<string, string>> = {
  ...{ approval: 'Approval', intervention: 'Intervention', protected: 'Protected', limit: 'Limit' },
  ...{ exec_approval: 'Command', patch_approval: 'Patch', login: 'Login', landing: 'Landing', blocker: 'Blocker' },
  ...{ clarification: 'Question', confirmation: 'Confirmation' },
};

export type Column = { name: string; className: string };

/** How many of them this screen has. */
export function shownOf(columns: readonly Column[]): number {
  return columns.filter(({ className }) => !IS_SMALL || !className.includes('hide-s')).length;
}

export function Heads({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, className }) => (
          <th key={name} scope="col" className={className}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

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

export function You({ item, question = questionOf(item) }: { item: InboxItem; question?: string }) {
  return (
    <span className="you">
      You: <Words text={question} />
    </span>
  );
}

type NameCellProps = {
  /** The address that rows lead to, without the run. */
  base: string;
  run: Run;
  item: InboxItem | undefined;
  /** What a person is asked; in the words of the inbox unless it is given. */
  question?: string | undefined;
  /** Beside the name while nobody is asked anything. */
  beside: string;
  /** The same where there is little room. */
  small: ReactNode;
};

/** What a run is called, and what it waits for a person to say. */
export function NameCell({ base, run, item, question, beside, small }: NameCellProps) {
  const asked = item && <You item={item} {...(question !== undefined && { question })} />;
  return (
    <td>
      <div className="run-name">
        <Link to={`${base}/${encodeURIComponent(run.run_id)}`} className="el">
          <Words text={run.title} className="b" />
        </Link>
        {item ? (
          <Link to={`/inbox/${item.item}`} className="el hide-s asks-what">
            {asked}
          </Link>
        ) : (
          <Words text={beside} className="m t3 el hide-s" />
        )}
      </div>
      <span className="only-s sm second">{asked ?? small}</span>
    </td>
  );
}
