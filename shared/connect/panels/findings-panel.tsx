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
  const { code, title, meaning, found, isAbsent, expected, hint, isFault, changes } = finding;
  return (
    <article className={`finding ${isFault ? 'bad' : ''}`}>
      <h3>
        <Icon name={isFault ? 'warning' : 'clock'} />
        {title}
      </h3>
      {changes.length > 0 ? null : <p>{meaning}</p>}
      {changes.map((change, index) => (
        <ChangeCard key={JSON.stringify(change)} id={`${code}-${index}`} change={change} />
      ))}
      {changes.length > 0 || (found === null && expected === null) ? null : (
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
      {changes.length > 0 ? <p>{meaning}</p> : null}
      <p className="todo">
        <b>What to do</b>
        {hint}
      </p>
    </article>
  );
}

const CHANGE_TITLES = {
  add: 'Add this record',
  replace: 'Change this record',
  remove: 'Delete this record',
} as const;

/** Renders one change to the customer's records. The value that has to go is struck out. */
function ChangeCard({ id, change }: { id: string; change: ShownFinding['changes'][number] }): ReactElement {
  const { action, type, name, value, of } = change;
  return (
    <div className="record">
      <h4>{CHANGE_TITLES[action]}</h4>
      <dl>
        <div className="field">
          <dt>Type</dt>
          <dd>
            {of !== null && of.type !== type ? (
              <del>
                <code>{of.type}</code>
              </del>
            ) : null}
            <code>{type}</code>
          </dd>
        </div>
        <Field id={`name-${id}`} label="Name" value={name} copy what="the Name to change" />
        {of === null ? null : (
          <div className="field">
            <dt>Value now</dt>
            <dd>
              <del>
                <code>{of.value}</code>
              </del>
            </dd>
          </div>
        )}
        {action === 'remove' ? (
          <div className="field">
            <dt>Value</dt>
            <dd>
              <del>
                <code>{value}</code>
              </del>
            </dd>
          </div>
        ) : (
          <Field
            id={`value-${id}`}
            label={of === null ? 'Value' : 'New value'}
            value={value}
            copy
            what="the new Value"
          />
        )}
      </dl>
    </div>
  );
}
