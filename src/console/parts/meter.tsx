/** How much of a limit is used, with a mark at four fifths; violet behind it. */
export function Meter({ used, limit }: { used: number; limit: number }) {
  const share = Math.min(1, used / limit);
  const tone = share >= 0.8 ? 'var(--limit)' : 'var(--d3)';
  return (
    <div className="meter" role="img" aria-label={`${Math.round(share * 100)} % of the limit`}>
      <i style={{ width: `${share * 100}%`, background: tone }} />
      <b style={{ left: '80%' }} />
    </div>
  );
}
