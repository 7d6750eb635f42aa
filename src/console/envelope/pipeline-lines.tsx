import { shownText } from '../parts/visible.js';
import type { Drawing, Line } from './pipeline-geometry.js';

const LABEL_HEIGHT = 20;
const CHARACTER = 6.3;
const LABEL_MAX = 34;

/** The ways between the stages; what was gone is solid and counted, what could be is dotted. */
export function PipelineLines({ drawing: { width, height, lines }, summary }: { drawing: Drawing; summary: string }) {
  // Those that were gone lie over those that were not.
  const ordered = lines.toSorted((one, other) => Math.sign(one.count) - Math.sign(other.count));
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
      <defs>
        <Head id="way-gone" color="var(--text2)" />
        <Head id="way-open" color="var(--control)" />
      </defs>
      {ordered.map((line) => (
        <g key={`${line.from} ${line.to}`} className={line.count > 0 ? 'way gone' : 'way'}>
          <path d={line.path} markerEnd={line.count > 0 ? 'url(#way-gone)' : 'url(#way-open)'} />
        </g>
      ))}
      {ordered.map((line) => (
        <Label key={`${line.from} ${line.to}`} line={line} />
      ))}
    </svg>
  );
}

function Head({ id, color }: { id: string; color: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0 8 4 0 8z" fill={color} />
    </marker>
  );
}

function Label({ line: { label, when, count } }: { line: Line }) {
  if (!label) return null;
  const words = shortened(shownText(when.join(' or ')));
  const times = count > 0 ? `${count}×` : '';
  const text = [times, words].filter(Boolean).join(' ');
  if (text === '') return null;
  const width = text.length * CHARACTER + 16;
  return (
    <g className={count > 0 ? 'way-label gone' : 'way-label'}>
      <rect x={label.x - width / 2} y={label.y - LABEL_HEIGHT / 2} width={width} height={LABEL_HEIGHT} rx={4} />
      <text x={label.x} y={label.y + 4} textAnchor="middle">
        {times !== '' && <tspan className="times">{times} </tspan>}
        {words}
      </text>
    </g>
  );
}

function shortened(text: string): string {
  return text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX)}…` : text;
}
