import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import { putsRecordsFirst, STEPS, type StatusTone, type StatusWords } from '../status-words.ts';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';

interface Input {
  page: ConnectPage;
  words: StatusWords;
}

/**
 * Renders the status of the hostname: a headline, the steps to live, and a text. While the customer has to set records, the text stands
 * below the records, so that the first record is visible without scrolling.
 */
export function StatusPanel({ page, words }: Input): ReactElement {
  const { tone, stepsDone } = words;
  return (
    <section className={`card status ${tone}`} id="status" data-live="" aria-labelledby="headline">
      <div className="top">
        <span className="sign">
          <Icon name={SIGNS[tone]} />
        </span>
        <h2 id="headline" tabIndex={-1}>
          {words.headline(page)}
        </h2>
        {putsRecordsFirst(words) ? null : <p>{words.text(page)}</p>}
      </div>
      {stepsDone === null ? null : <Steps done={stepsDone} />}
      {page.status === 'active' && page.mode === 'live' ? (
        <a
          className="button primary"
          href={`https://${page.hostname}/`}
          target="_blank"
          rel="noopener noreferrer"
        >
          <span>
            Open <HostnameText hostname={page.hostname} />
          </span>
          <Icon name="outside" />
        </a>
      ) : null}
    </section>
  );
}

const SIGNS: Record<StatusTone, 'clock' | 'progress' | 'check' | 'warning' | 'pause'> = {
  waiting: 'clock',
  working: 'progress',
  good: 'check',
  bad: 'warning',
  quiet: 'pause',
};

function Steps({ done }: { done: number }): ReactElement {
  return (
    <ol className="steps" aria-label="Steps to a live domain">
      {STEPS.map(({ title, before, after }, index) => {
        const state = index < done ? 'done' : index === done ? 'now' : 'later';
        return (
          <li key={title} className={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className="dot" aria-hidden="true">
              {state === 'done' ? <Icon name="check" /> : index + 1}
            </span>
            <b>
              {title}
              <span className="hidden">{SPOKEN[state]}</span>
            </b>
            <span className="small">{state === 'done' ? after : before}</span>
          </li>
        );
      })}
    </ol>
  );
}

const SPOKEN = { done: ' (done)', now: ' (now)', later: ' (not started)' } as const;
