import type { ReactElement } from 'react';
import type { ShownFinding } from '../shown-finding.ts';
import { Field } from './field.tsx';
import { Icon } from './icons.tsx';

/** Renders the findings: what we see now, what it should be, and what to do. */
export function FindingsPanel({ findings }: { findings: readonly ShownFinding[] }): ReactElement {
  const [first] = findings;
  if (first === undefined) return <div id="findings" data-live="" />;
  return (
    <section className="card" id="findings" data-live="" aria-labelledby="findings-title">
      <h2 id="findings-title">{first.isFault ? 'What to fix' : 'What we see'}</h2>
      <div className="list">
        {findings.map((finding) => (
          <FindingCard key={`${finding.code} ${finding.found} ${finding.expected}`} finding={finding} />
        ))}
      </div>
    </section>
  );
}

function FindingCard({ finding }: { finding: ShownFinding }): ReactElement {
  const { code, title, meaning, found, isAbsent, expected, hint, isFault } = finding;
  return (
    <article className={`finding ${isFault ? 'bad' : ''}`}>
      <h3>
        <Icon name={isFault ? 'warning' : 'clock'} />
        {title}
      </h3>
      <p>{meaning}</p>
      {found === null && expected === null ? null : (
        <dl className="compare">
          {found === null && !isAbsent ? null : (
            <div>
              <dt>What we see now</dt>
              <dd>{found === null ? 'nothing' : <code>{found}</code>}</dd>
            </div>
          )}
          {expected === null ? null : (
            <Field
              id={`expected-${code}`}
              label="What it should be"
              value={expected}
              copy
              what="what it should be"
            />
          )}
        </dl>
      )}
      <p className="todo">
        <b>What to do</b>
        {hint}
      </p>
    </article>
  );
}
