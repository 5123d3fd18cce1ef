import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { NoticeCode } from '../notices.ts';
import { isNotThereYet } from '../shown-finding.ts';
import { putsRecordsFirst, recordWord, type StatusWords } from '../status-words.ts';
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

/** Renders the last and the next check, with the button that checks now. */
export function ChecksPanel({ page, words, path, notice }: Input): ReactElement {
  const { last_checked_at, next_check_at, checkable } = page;
  // A domain whose record is correct is checked too, but its customer does not wait for that check.
  const isShown = words.showsFindings && (checkable || next_check_at !== null);
  if (!isShown && notice === null) return <div id="checks" data-live="" />;
  return (
    <section className={`card checks-card ${words.tone}`} id="checks" data-live="" aria-label="Checks">
      {putsRecordsFirst(words) ? <p>{words.text(page)}</p> : null}
      {isShown ? (
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
      ) : null}
      <NoticeText code={notice} place="status" />
    </section>
  );
}

const NOT_THERE_YET = {
  record: 'We have not found the record yet.',
  records: 'We have not found the records yet.',
} as const;

function checkLabel({ last_checked_at, status }: ConnectPage): string {
  if (status === 'cert_failed') return 'Try again now';
  return last_checked_at === null ? 'Check now' : 'Check again';
}
