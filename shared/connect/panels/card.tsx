import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icons.tsx';

/** Renders a part of the page that the script keeps up to date. If the part is folded, only its title is visible at first. */
export function Card({
  id,
  title,
  isFolded,
  children,
}: {
  id: string;
  title: ReactNode;
  isFolded: boolean;
  children: ReactNode;
}): ReactElement {
  if (isFolded) {
    return (
      <section className="card" id={id} data-live="">
        <Folded title={title}>{children}</Folded>
      </section>
    );
  }
  return (
    <section className="card" id={id} data-live="" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

export function Folded({ title, children }: { title: ReactNode; children: ReactNode }): ReactElement {
  return (
    <details>
      <summary>
        <Icon name="right" />
        <span>{title}</span>
      </summary>
      <div className="inside">{children}</div>
    </details>
  );
}
