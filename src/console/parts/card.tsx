import type { ReactNode } from 'react';

type Props = { title: string; beside?: ReactNode; children: ReactNode };

/** A titled part of a page. */
export function Card({ title, beside, children }: Props) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="sp" />
        {beside}
      </header>
      {children}
    </section>
  );
}

/** One line of a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
