const PATHS = {
  inbox: 'M2 9.5h3.2l1 1.8h3.6l1-1.8H14M3.6 3h8.8L14 9.5V13H2V9.5z',
  runs: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  jobs: 'M2.5 3h3v10h-3zM6.5 3h3v6h-3zM10.5 3h3v8h-3z',
  operator: 'M2.5 4h6M5.5 8h6M8.5 12h5',
  envelopes:
    'M5.2 8h5.6M9 6l2 2-2 2M3.5 6.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4M12.5 6.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4',
  sessions: 'M2.5 3.5h11v7.5H7l-3 2.5V11H2.5z',
  bridges: 'M2 11.5V9a6 6 0 0 1 12 0v2.5M2 11.5h12M5.5 11.5V8M10.5 11.5V8',
  folder: 'M2 4h4l1.4 1.5H14v7.5H2z',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  costs: 'M2.5 13.5v-4M6.2 13.5v-7M9.8 13.5V8M13.5 13.5v-11',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  key: 'M10.5 2.5a3 3 0 1 1-2.6 4.5L2.5 12.4v1.6H5v-1.5h1.5V11L8 9.6',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1.5H3zM6.8 14h2.4',
  audit: 'M8 1.8 13 4v4c0 3-2 5-5 6.2C5 13 3 11 3 8V4zM5.8 8l1.6 1.6L10.4 6.4',
  system: 'M2.5 3.5h11v3.5h-11zM2.5 9h11v3.5h-11zM5 5.25h.01M5 10.75h.01',
  search: 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8M10 10l3.5 3.5',
  theme: 'M8 3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zM8 3v10',
  help: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M6.4 6.4a1.6 1.6 0 1 1 2.3 1.5c-.5.3-.7.6-.7 1.1M8 11h.01',
  copy: 'M5.5 5.5h7.5v8H5.5zM3 10.5V3.2c0-.4.3-.7.7-.7H10',
  prompt: 'M3 4.5 6.5 8 3 11.5M8 12h5',
  plus: 'M8 3v10M3 8h10',
  branch:
    'M4 5v6M12 6.5C12 9 8 8.5 4 10.5M4 2a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3M4 11a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3M12 3.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  leave: 'M9.5 3H4v10h5.5M7 8h7M11.5 5.5 14 8l-2.5 2.5',
  close: 'M4 4l8 8M12 4l-8 8',
  network: 'M2.5 3.5h11v3.5h-11zM2.5 9h11v3.5h-11z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
      {name === 'theme' && <path d="M8 3v10A5 5 0 0 0 8 3z" fill="currentColor" />}
    </svg>
  );
}
