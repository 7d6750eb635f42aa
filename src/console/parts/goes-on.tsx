import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 4;

type Props = { name: string; className?: string; children: ReactNode };

/** Something that may be longer than its room: as long as its end is not seen, it says that it goes on. */
export function GoesOn({ name, className = '', children }: Props) {
  const room = useRef<HTMLElement>(null);
  const [isMore, setMore] = useState(false);
  const look = useCallback((): void => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = room.current ?? {};
    setMore(scrollHeight - scrollTop - clientHeight > NEAR_PX);
  }, []);
  useLayoutEffect(() => {
    const { current } = room;
    if (!current) return undefined;
    const watch = new ResizeObserver(look);
    watch.observe(current);
    if (current.firstElementChild) watch.observe(current.firstElementChild);
    return () => watch.disconnect();
  }, [look]);
  return (
    <div className={`goes-on ${className}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys */}
      <section className="goes-on-in" ref={room} tabIndex={0} aria-label={name} onScroll={look}>
        <div>{children}</div>
      </section>
      {isMore && (
        <button
          type="button"
          className="goes-on-mark sm"
          onClick={() => room.current?.scrollBy({ top: room.current.clientHeight * 0.8 })}
        >
          ↓ It goes on below
        </button>
      )}
    </div>
  );
}
