const PATHS = {
  back: 'M11 4 7 8l4 4M4.5 4v8',
  forward: 'M5 4l4 4-4 4M11.5 4v8',
  play: 'M5 3.5v9l7-4.5z',
  stop: 'M5.5 4v8M10.5 4v8',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const;

const BOLD = new Set(['stop', 'more']);

export function PlayerIcon({ name, size = 14 }: { name: keyof typeof PATHS; size?: number }) {
  const look = { fill: name === 'play' ? 'currentColor' : 'none', stroke: 'currentColor' };
  const line = { strokeWidth: BOLD.has(name) ? 2.2 : 1.4, strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" {...look} {...line}>
      <path d={PATHS[name]} />
    </svg>
  );
}
