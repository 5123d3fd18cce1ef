import type { ReactElement } from 'react';
import type { FindingContent, FindingsBlock } from '../content/connect-content.ts';
import { Icon } from './icons.tsx';
import { RecordCard, RecordFields } from './record-card.tsx';

/** Renders the findings: the value that we found, the expected value, and what to do. */
export function FindingsPanel(input: { block: FindingsBlock; names: readonly string[] }): ReactElement {
  const { block, names } = input;
  return (
    <section className="card" id="findings" data-live="" aria-labelledby="findings-title" part="findings">
      <h2 id="findings-title">{block.title}</h2>
      {block.list.map((finding) => (
        <FindingCard key={JSON.stringify(finding)} finding={finding} names={names} />
      ))}
    </section>
  );
}

function FindingCard(input: { finding: FindingContent; names: readonly string[] }): ReactElement {
  const { finding, names } = input;
  const { code, tone, title, meaning, changes, compared, hint } = finding;
  const isFault = tone !== 'quiet';
  return (
    <article className={`finding ${isFault ? tone : ''}`} part="finding">
      <h3>
        <Icon name={isFault ? 'warn' : 'info'} />
        {title}
      </h3>
      <p>{meaning}</p>
      {changes.map((change, index) => (
        <RecordCard key={JSON.stringify(change)} record={change} id={`${code}-${index + 1}`} names={names} />
      ))}
      {compared.length > 0 && <RecordFields fields={compared} id={code} names={names} isWide />}
      <p>
        <b>{hint.label}</b> {hint.text}
      </p>
    </article>
  );
}
