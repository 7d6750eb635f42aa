/** A baton, on its way from one to the other. */
export function Mark() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d="M6.2 15.8 15.8 6.2" stroke="var(--text)" strokeWidth="4.6" strokeLinecap="round" />
      <path d="M9.8 12.2l2.4-2.4" stroke="var(--you-fill)" strokeWidth="4.6" />
      <circle cx="3" cy="8" r="1.5" fill="var(--text3)" />
      <circle cx="19" cy="14" r="1.5" fill="var(--text3)" />
    </svg>
  );
}
