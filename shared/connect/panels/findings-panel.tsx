import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { FindingContent, FindingsBlock } from '../content/connect-content.ts';
import { Icon } from './icons.tsx';
import { Field, RecordCard } from './record-card.tsx';

/** Renders the findings: the value that we found, the expected value, and what to do. */
export function FindingsPanel({
  block,
  page,
}: {
  block: FindingsBlock | null;
  page: ConnectPage;
}): ReactElement {
  if (block === null) return <div id="findings" data-live="" />;
  return (
    <section className="card" id="findings" data-live="" aria-labelledby="findings-title">
      <h2 id="findings-title">{block.title}</h2>
      {block.list.map((finding) => (
        <FindingCard key={JSON.stringify(finding)} finding={finding} page={page} />
      ))}
    </section>
  );
}

function FindingCard({ finding, page }: { finding: FindingContent; page: ConnectPage }): ReactElement {
  const { code, tone, title, meaning, changes, compared, hint } = finding;
  const isFault = tone !== 'quiet';
  return (
    <article className={`finding ${isFault ? tone : ''}`}>
      <h3>
        <Icon name={isFault ? 'warn' : 'info'} />
        {title}
      </h3>
      <p>{meaning}</p>
      {changes.map((change, index) => (
        <RecordCard key={JSON.stringify(change)} record={change} id={`${code}-${index + 1}`} page={page} />
      ))}
      {compared.length === 0 ? null : (
        <dl className="record wide">
          {compared.map((field, index) => (
            <Field key={field.label} field={field} id={`${code}-${index + 1}`} page={page} />
          ))}
        </dl>
      )}
      <p>
        <b>{hint.label}</b> {hint.text}
      </p>
    </article>
  );
}
