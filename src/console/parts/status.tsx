export type Tone = 'you' | 'run' | 'ok' | 'bad' | 'limit' | 'rest';
type Look = { word: string; tone: Tone; glyph: keyof typeof GLYPHS };

/** Each status has a shape, a word and a colour; never a colour alone. */
const GLYPHS = {
  diamond: (
    <>
      <path d="M8 .9 15.1 8 8 15.1.9 8z" fill="currentColor" />
      <path d="M8 4.6v4" stroke="var(--bg)" strokeWidth="1.7" strokeLinecap="round" />
      <circle cx="8" cy="11" r="1" fill="var(--bg)" />
    </>
  ),
  arc: (
    <>
      <circle cx="8" cy="8" r="5.7" fill="none" stroke="currentColor" strokeOpacity=".3" strokeWidth="1.8" />
      <path className="spin" d="M8 2.3A5.7 5.7 0 0 1 13.7 8" fill="none" stroke="currentColor" strokeWidth="1.8" />
    </>
  ),
  half: (
    <>
      <circle cx="8" cy="8" r="5.9" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M8 2.1a5.9 5.9 0 0 1 0 11.8z" fill="currentColor" />
    </>
  ),
  tick: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" />
      <path d="M5.2 8.2l2 2 3.6-4.1" fill="none" stroke="var(--bg)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  octagon: (
    <>
      <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" fill="currentColor" />
      <path d="M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4" stroke="var(--bg)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  square: (
    <>
      <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="3" fill="currentColor" />
      <path d="M4.8 8h6.4" stroke="var(--bg)" strokeWidth="1.9" strokeLinecap="round" />
    </>
  ),
  bolt: <path d="M8 1.6v4.2L5.6 8l4.4 1.2L7.4 14.4" fill="none" stroke="currentColor" strokeWidth="1.7" />,
  hexagon: (
    <>
      <path d="M4.6 1.8h6.8L14.8 8l-3.4 6.2H4.6L1.2 8z" fill="currentColor" />
      <path d="M6.4 5.6v4.8M9.6 5.6v4.8" stroke="var(--bg)" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  ring: <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  dashes: (
    <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.6 2.4" />
  ),
  bars: (
    <>
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M6.5 6v4M9.5 6v4" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  slash: (
    <>
      <circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M4.2 11.8l7.6-7.6" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  back: (
    <>
      <path
        d="M3.2 8.4A4.9 4.9 0 1 0 5 4.3"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
      <path d="M5.9 1.6 4.6 4.6l3.1 1" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
} as const;

const LOOKS: Readonly<Record<string, Look>> = {
  DRAFT: { word: 'Draft', tone: 'rest', glyph: 'dashes' },
  PENDING: { word: 'Pending', tone: 'rest', glyph: 'ring' },
  RUNNING: { word: 'Running', tone: 'run', glyph: 'arc' },
  REVIEWING: { word: 'Reviewing', tone: 'run', glyph: 'half' },
  SUCCESS: { word: 'Success', tone: 'ok', glyph: 'tick' },
  CANCELED: { word: 'Canceled', tone: 'rest', glyph: 'slash' },
  INTERVENTION_REQUIRED: { word: 'Needs you', tone: 'you', glyph: 'diamond' },
  HALTED_COST: { word: 'Halted, cost', tone: 'limit', glyph: 'hexagon' },
  todo: { word: 'To do', tone: 'rest', glyph: 'ring' },
  in_progress: { word: 'In progress', tone: 'run', glyph: 'arc' },
  running: { word: 'Running', tone: 'run', glyph: 'arc' },
  blocked: { word: 'Blocked', tone: 'bad', glyph: 'square' },
  canceled: { word: 'Canceled', tone: 'rest', glyph: 'slash' },
  paused: { word: 'Paused', tone: 'rest', glyph: 'bars' },
  completed_successfully: { word: 'Completed', tone: 'ok', glyph: 'tick' },
  denied_by_policy: { word: 'Denied', tone: 'rest', glyph: 'slash' },
  clarification_required: { word: 'Not answered', tone: 'rest', glyph: 'slash' },
  confirmation_required: { word: 'Not answered', tone: 'rest', glyph: 'slash' },
  tool_failed_recoverably: { word: 'Failed, can go on', tone: 'bad', glyph: 'octagon' },
  tool_failed_fatally: { word: 'Failed', tone: 'bad', glyph: 'octagon' },
  max_iterations_exceeded: { word: 'Out of iterations', tone: 'limit', glyph: 'hexagon' },
  max_llm_calls_exceeded: { word: 'Out of LLM calls', tone: 'limit', glyph: 'hexagon' },
  max_agent_hops_exceeded: { word: 'Out of hops', tone: 'limit', glyph: 'hexagon' },
  max_critic_fires_exceeded: { word: 'Sent back too often', tone: 'limit', glyph: 'hexagon' },
  asking: { word: 'Agent asked', tone: 'run', glyph: 'half' },
  delivering: { word: 'Answer written', tone: 'run', glyph: 'arc' },
  finishing: { word: 'Ending', tone: 'run', glyph: 'arc' },
  interrupted: { word: 'Interrupted', tone: 'rest', glyph: 'bars' },
  idle: { word: 'Ready', tone: 'rest', glyph: 'ring' },
  closed: { word: 'Closed', tone: 'rest', glyph: 'slash' },
  watching: { word: 'Watching', tone: 'rest', glyph: 'dashes' },
  abandoned: { word: 'Cleaned up', tone: 'rest', glyph: 'slash' },
  HALTED_TIME: { word: 'Halted, time', tone: 'limit', glyph: 'hexagon' },
};

export function lookOf(status: string, waits = false): Look {
  const known = LOOKS[status];
  if (waits && known?.tone !== 'limit') return { word: 'Waiting for you', tone: 'you', glyph: 'diamond' };
  if (known) return known;
  const word = status.charAt(0).toUpperCase() + status.slice(1).toLowerCase().replaceAll('_', ' ');
  if (/fail|conflict|refused|broken/i.test(status)) return { word, tone: 'bad', glyph: 'octagon' };
  if (/done|success|landed|ended|active|registered/i.test(status)) return { word, tone: 'ok', glyph: 'tick' };
  return { word, tone: 'rest', glyph: 'ring' };
}

export function Glyph({ glyph, tone, size = 14 }: { glyph: keyof typeof GLYPHS; tone: Tone; size?: number }) {
  return (
    <svg className={`g ${tone}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {GLYPHS[glyph]}
    </svg>
  );
}

export function StatusMark({ status, waits = false }: { status: string; waits?: boolean }) {
  const { word, tone, glyph } = lookOf(status, waits);
  return (
    <span className={`st ${tone}`}>
      <Glyph glyph={glyph} tone={tone} />
      {word}
    </span>
  );
}
