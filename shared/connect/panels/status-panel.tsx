import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { NoticeCode } from '../notices.ts';
import { isNotThereYet } from '../shown-finding.ts';
import { recordWord, STEPS, type StatusTone, type StatusWords } from '../status-words.ts';
import { HostnameText } from './hostname-text.tsx';
import { Icon } from './icons.tsx';
import { NoticeText } from './notice-text.tsx';
import { TimeText } from './time-text.tsx';

interface Input {
  page: ConnectPage;
  words: StatusWords;
  /** Path of this page, without a trailing slash. */
  path: string;
  notice: NoticeCode | null;
}

/** Renders the status of the hostname: a headline and text, the steps to live, and the time of the last check. */
export function StatusPanel({ page, words, path, notice }: Input): ReactElement {
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
        <p>{words.text(page)}</p>
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
      <Checks page={page} words={words} path={path} />
      <NoticeText code={notice} place="status" />
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

const NOT_THERE_YET = {
  record: 'We have not found the record yet.',
  records: 'We have not found the records yet.',
} as const;

function checkLabel({ last_checked_at, status }: ConnectPage): string {
  if (status === 'cert_failed') return 'Try again now';
  return last_checked_at === null ? 'Check now' : 'Check again';
}

function Checks({ page, words, path }: Pick<Input, 'page' | 'words' | 'path'>): ReactElement | null {
  const { last_checked_at, next_check_at, checkable } = page;
  // A domain whose record is correct is checked too, but its customer does not wait for that check.
  if (!words.showsFindings || (!checkable && next_check_at === null)) return null;
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
            {checkLabel(page)}
          </button>
        </form>
      ) : null}
    </div>
  );
}
