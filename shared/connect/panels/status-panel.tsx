import type { ReactElement } from 'react';
import type { Language } from '../../core/languages/catalog.ts';
import { putsRecordsFirst, STEPS, type StatusTone } from '../status-words.ts';
import type { View } from '../view.ts';
import { Filled } from './filled.tsx';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

/**
 * Renders the status of the hostname: a headline, the reason if a record went missing, the steps to live, and a text. While the customer has to set records, the text stands
 * below the records, so that the first record is visible without scrolling.
 */
export function StatusPanel({ view: { page, words, language, missing } }: { view: View }): ReactElement {
  const { tone, stepsDone } = words;
  return (
    <section className={`card status ${tone}`} id="status" data-live="" aria-labelledby="headline">
      <div className="top">
        <span className="sign">
          <Icon name={SIGNS[tone]} />
        </span>
        <h2 id="headline" tabIndex={-1}>
          {words.headline}
        </h2>
        {missing?.isFault === true ? <p className="why">{missing.title}</p> : null}
        {putsRecordsFirst(words) ? null : <p>{words.text}</p>}
      </div>
      {stepsDone === null ? null : <Steps done={stepsDone} language={language} />}
      {page.status === 'active' && page.mode === 'live' ? (
        <a
          className="button primary"
          href={`https://${page.hostname}/`}
          target="_blank"
          rel="noopener noreferrer"
        >
          <span>
            <Filled
              text={language.texts.page.openHostname}
              values={{ hostname: <HostnameText hostname={page.unicode_hostname ?? page.hostname} /> }}
            />
          </span>
          <Icon name="outside" />
        </a>
      ) : null}
    </section>
  );
}

const SIGNS: Record<StatusTone, 'clock' | 'progress' | 'check' | 'warning' | 'pause'> = {
  waiting: 'clock',
  fix: 'warning',
  working: 'progress',
  good: 'check',
  bad: 'warning',
  quiet: 'pause',
};

const SPOKEN = { done: 'stepDone', now: 'stepNow', later: 'stepLater' } as const;

function Steps({ done, language }: { done: number; language: Language }): ReactElement {
  const { page: texts } = language.texts;
  return (
    <ol className="steps" aria-label={texts.steps}>
      {STEPS.map((step, index) => {
        const { title, before, after } = texts[step];
        const state = index < done ? 'done' : index === done ? 'now' : 'later';
        return (
          <li key={step} className={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className="dot" aria-hidden="true">
              {state === 'done' ? <Icon name="check" /> : index + 1}
            </span>
            <b>
              {title}
              <span className="hidden"> {texts[SPOKEN[state]]}</span>
            </b>
            <span className="small">{state === 'done' ? after : before}</span>
          </li>
        );
      })}
    </ol>
  );
}
