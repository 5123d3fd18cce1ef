import { type ReactElement, type ReactNode, useId } from 'react';

/** Shows names and values, one pair per line. Pairs whose value is null or false are omitted. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }): ReactElement {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => value !== null && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A section of a view, with a heading: a box, or a part of the rail. */
export function Section(input: { title: ReactNode; aside?: ReactNode; children: ReactNode }): ReactElement {
  return (
    <section className="box">
      <header>
        <h2>{input.title}</h2>
        {input.aside}
      </header>
      <div className="in">{input.children}</div>
    </section>
  );
}

/** A group of settings: what it is on the left, its fields on the right. */
export function SettingGroup(input: { title: string; text: ReactNode; children: ReactNode }): ReactElement {
  const id = useId();
  return (
    <section className="set" aria-labelledby={id}>
      <div>
        <h2 id={id}>{input.title}</h2>
        <p>{input.text}</p>
      </div>
      <div className="in">{input.children}</div>
    </section>
  );
}

/** Placeholder for an empty list: states that it is empty, and how to change that. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactElement {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}
