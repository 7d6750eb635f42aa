import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Run } from '../../client/index.js';
import { client } from '../live/client.js';
import { Words } from '../parts/shown-text.js';
import { Glyph, lookOf } from '../parts/status.js';
import { goTo } from './address.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { commandsFor, type PaletteCommand } from './palette-commands.js';

const RUNS_MAX = 8;
const WAIT_MS = 120;

type Entry = { id: string; run?: Run; command?: PaletteCommand };

/** Finds runs by their words, and runs what can be done from everywhere. */
export function Palette({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const runs = useFound(words.trim());
  const entries: readonly Entry[] = [
    ...commandsFor(words, { onKeys }).map((command) => ({ id: `do-${command.name}`, command })),
    ...runs.map((run) => ({ id: `run-${run.run_id}`, run })),
  ];
  const chosen = Math.min(at, entries.length - 1);
  const follow = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    if (entry.run) goTo(`/runs/${encodeURIComponent(entry.run.run_id)}`);
    else entry.command?.does();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((entries.length + chosen + step) % Math.max(1, entries.length));
    else if (event.key === 'Enter') follow(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search or run a command" onClose={onClose} bare>
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries[chosen]?.id}
          aria-label="Search runs or name a command"
          placeholder="Search runs or name a command"
          autoComplete="off"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>Esc</kbd>
      </div>
      <div id="palette-list" className="palette-list" role="listbox" aria-label="Found" tabIndex={-1}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the field
          <div
            key={entry.id}
            id={entry.id}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className="palette-row"
            onClick={() => follow(entry)}
            onMouseMove={() => setAt(index)}
          >
            {entry.run ? <FoundRun run={entry.run} /> : entry.command && <FoundCommand command={entry.command} />}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function FoundRun({ run }: { run: Run }) {
  const { glyph, tone, word } = lookOf(run.status, run.waiting_for !== null);
  return (
    <>
      <Glyph glyph={glyph} tone={tone} />
      <Words text={run.title} className="el b" />
      <Words text={run.run_id} className="m t3 el" />
      <span className="sp" />
      <span className="t3 sm nw">{word}</span>
    </>
  );
}

function FoundCommand({ command: { icon, name, keys } }: { command: PaletteCommand }) {
  return (
    <>
      <Icon name={icon} size={14} />
      <span>{name}</span>
      <span className="sp" />
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </>
  );
}

/** Asked for when somebody has stopped typing for a moment. */
function useFound(words: string): readonly Run[] {
  const [found, setFound] = useState<readonly Run[]>([]);
  const latest = useRef('');
  useEffect(() => {
    latest.current = words;
    if (words === '') {
      setFound([]);
      return;
    }
    const timer = setTimeout(() => {
      client.runs({ q: words, limit: RUNS_MAX }).then(
        ({ items }) => latest.current === words && setFound(items),
        () => {},
      );
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return found;
}
