import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { NoticeCode } from '../notices.ts';
import { isNotThereYet } from '../shown-finding.ts';
import { recordWord, STEPS, type StatusWords, type Tone } from '../status-words.ts';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';
import { NoticeText } from './notice-text.tsx';
import { TimeText } from './time-text.tsx';

interface Input {
  page: ConnectPage;
  words: StatusWords;
  /** Of this page, without a final slash. */
  path: string;
  notice: NoticeCode | null;
}

/** Where the hostname stands: in words, on the way to live, and when it was looked at. */
export function StatusPanel({ page, words, path, notice }: Input): ReactElement {
  const { tone, steps_done } = words;
  return (
    <section className={`card status ${tone}`} id="status" data-live="" aria-labelledby="headline">
      <div className="top">
        <span className="sign">
          <Icon name={SIGNS[tone]} />
        </span>
        <h2 id="headline" tabIndex={-1}>
          {words.headline(page)}
        </h2>
        <p>{words.text(page)}</p>
      </div>
      {steps_done === null ? null : <Steps done={steps_done} />}
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
      <Checks page={page} words={words} path={path} />
      <NoticeText code={notice} place="status" />
    </section>
  );
}

const SIGNS: Record<Tone, 'clock' | 'progress' | 'check' | 'warning' | 'pause'> = {
  waiting: 'clock',
  working: 'progress',
  good: 'check',
  bad: 'warning',
  quiet: 'pause',
};

function Steps({ done }: { done: number }): ReactElement {
  return (
    <ol className="steps" aria-label="The way to a live domain">
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

const SPOKEN = { done: ' (done)', now: ' (now)', later: ' (to come)' } as const;

const NOT_THERE_YET = {
  record: 'The record is not there yet.',
  records: 'The records are not there yet.',
} as const;

function Checks({ page, words, path }: Pick<Input, 'page' | 'words' | 'path'>): ReactElement | null {
  const { last_checked_at, next_check_at, status, checkable } = page;
  // A domain whose record is right is checked too, which is nothing that its customer waits for.
  if (!words.shows_findings || (!checkable && next_check_at === null)) return null;
  return (
    <div className="checks">
      <p className="small">
        {isNotThereYet(page) ? (
          <>
            <b id="result">{NOT_THERE_YET[recordWord(page)]}</b>
            <br />
          </>
        ) : null}
        {last_checked_at === null ? (
          'Not checked yet'
        ) : (
          <>
            Last checked <TimeText at={last_checked_at} relative />
          </>
        )}
        {next_check_at === null ? null : (
          <>
            <br />
            Next check <TimeText at={next_check_at} relative />
          </>
        )}
      </p>
      {checkable ? (
        <form method="post" action={`${path}/check`} data-quiet="">
          <button type="submit" id="check-again">
            <Icon name="again" />
            {status === 'cert_failed' ? 'Try again now' : 'Check again'}
          </button>
        </form>
      ) : null}
    </div>
  );
}
