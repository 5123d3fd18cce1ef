import type { ReactElement } from 'react';
import type { Language } from '../../core/languages/catalog.ts';
import type { ShownFinding } from '../shown-finding.ts';
import type { View } from '../view.ts';
import { ChangeCard } from './change-card.tsx';
import { Field } from './field.tsx';
import { Icon } from './icons.tsx';

/** Renders the findings: what we see now, what it should be, and what to do. */
export function FindingsPanel({ view }: { view: View }): ReactElement {
  const { findings, language, words } = view;
  const { toFix, weSee } = language.texts.page;
  const [first] = findings;
  if (first === undefined) return <div id="findings" data-live="" />;
  return (
    <section className="card" id="findings" data-live="" aria-labelledby="findings-title">
      <h2 id="findings-title">{first.isFault ? toFix : weSee}</h2>
      <div className="list">
        {findings.map((finding) => (
          <FindingCard
            key={`${finding.code} ${finding.found} ${finding.expected}`}
            finding={finding}
            language={language}
            tone={words.tone === 'bad' ? 'bad' : 'fix'}
          />
        ))}
      </div>
    </section>
  );
}

function FindingCard(input: {
  finding: ShownFinding;
  language: Language;
  /** The colour of a fault. */
  tone: 'fix' | 'bad';
}): ReactElement {
  const { finding, language, tone } = input;
  const { page: texts } = language.texts;
  const { code, title, meaning, found, isAbsent, expected, hint, isFault, changes } = finding;
  return (
    <article className={`finding ${isFault ? tone : ''}`}>
      <h3>
        <Icon name={isFault ? 'warning' : 'clock'} />
        {title}
      </h3>
      {changes.length > 0 ? null : <p>{meaning}</p>}
      {changes.map((change, index) => (
        <ChangeCard
          key={JSON.stringify(change)}
          id={`${code}-${index}`}
          change={change}
          language={language}
        />
      ))}
      {changes.length > 0 || (found === null && expected === null) ? null : (
        <dl className="compare">
          {found === null && !isAbsent ? null : (
            <div>
              <dt>{texts.weSeeNow}</dt>
              <dd>{found === null ? texts.nothing : <code>{found}</code>}</dd>
            </div>
          )}
          {expected === null ? null : (
            <Field
              language={language}
              id={`expected-${code}`}
              label={texts.shouldBe}
              value={expected}
              copy
              what={texts.whatShouldBe}
            />
          )}
        </dl>
      )}
      {changes.length > 0 ? <p>{meaning}</p> : null}
      <p className="todo">
        <b>{texts.toDo}</b>
        {hint}
      </p>
    </article>
  );
}
