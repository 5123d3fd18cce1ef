import type { ReactElement } from 'react';
import type { ConnectPage } from '../../operations/connect/get-connect-page.ts';
import type { NoticeCode } from '../notices.ts';
import { pageLink } from '../page-path.ts';
import { isNotThereYet } from '../shown-finding.ts';
import { putsRecordsFirst } from '../status-words.ts';
import { forRecords, type View } from '../view.ts';
import { Filled } from './filled.tsx';
import { Icon } from './icons.tsx';
import { NoticeText } from './notice-text.tsx';
import { TimeText } from './time-text.tsx';

/** Renders the last and the next check, with the button that checks now. */
export function ChecksPanel({ view, notice }: { view: View; notice: NoticeCode | null }): ReactElement {
  const { page, words, language, address } = view;
  const { page: texts } = language.texts;
  const { next_check_at, checkable } = page;
  // A domain whose record is correct is checked too, but its customer does not wait for that check.
  const isShown = words.showsFindings && (checkable || next_check_at !== null);
  if (!isShown && notice === null) return <div id="checks" data-live="" />;
  return (
    <section className={`card checks-card ${words.tone}`} id="checks" data-live="" aria-label={texts.checks}>
      {putsRecordsFirst(words) ? <p>{words.text}</p> : null}
      {isShown ? (
        <div className="checks">
          <Times view={view} />
          {checkable ? (
            <form method="post" action={pageLink(address, '/check')} data-quiet="">
              <button type="submit" id="check-again">
                <Icon name="again" />
                {texts[checkLabel(page)]}
              </button>
            </form>
          ) : null}
        </div>
      ) : null}
      <NoticeText code={notice} place="status" language={language} />
    </section>
  );
}

function Times({ view }: { view: View }): ReactElement {
  const { page, language } = view;
  const { page: texts } = language.texts;
  const { last_checked_at, next_check_at } = page;
  const time = (at: string) => ({ time: <TimeText at={at} relative language={language} /> });
  return (
    <p className="small">
      {isNotThereYet(page) ? (
        <>
          <b id="result">{forRecords(view, texts.notFoundYet)}</b>
          <br />
        </>
      ) : null}
      {last_checked_at === null ? (
        texts.notChecked
      ) : (
        <Filled text={texts.lastChecked} values={time(last_checked_at)} />
      )}
      {next_check_at === null ? null : (
        <>
          <br />
          <Filled text={texts.nextCheck} values={time(next_check_at)} />
        </>
      )}
    </p>
  );
}

function checkLabel({ last_checked_at, status }: ConnectPage): 'tryAgain' | 'checkNow' | 'checkAgain' {
  if (status === 'cert_failed') return 'tryAgain';
  return last_checked_at === null ? 'checkNow' : 'checkAgain';
}
