import type { ReactElement } from 'react';
import { fill } from '../core/connect-texts/text.ts';
import { colleagueMail } from './colleague-mail.ts';
import { blocksOf, namesOf } from './content/content-of.ts';
import type { NoticeCode } from './notices.ts';
import { pageLink } from './page-path.ts';
import { AskPanel } from './panels/ask-panel.tsx';
import { ChecksPanel } from './panels/checks-panel.tsx';
import { Filled } from './panels/filled.tsx';
import { FindingsPanel } from './panels/findings-panel.tsx';
import { Folded, FoldsPanel } from './panels/folds-panel.tsx';
import { HandOver } from './panels/hand-over.tsx';
import { HeadPanel } from './panels/head-panel.tsx';
import { LinksPanel } from './panels/links-panel.tsx';
import { NoticeText } from './panels/notice-text.tsx';
import { NotifyPanel } from './panels/notify-panel.tsx';
import { ProviderPicker } from './panels/provider-picker.tsx';
import { RecordsPanel } from './panels/records-panel.tsx';
import { StatusPanel } from './panels/status-panel.tsx';
import { titleOf, type View } from './view.ts';

export interface ConnectViewInput {
  view: View;
  /** Identifies the shown content. The server does not send the page again while its revision is the same. */
  revision: string;
  notice: NoticeCode | null;
  /** The mail address that the customer typed, if it has to be corrected; else empty. */
  typed: string;
}

/**
 * Renders the content of the connect page. The page's script replaces each part with `data-live` whose markup has changed. So every part is
 * always present, and is empty if there is nothing to show.
 */
export function ConnectView({ view, revision, notice, typed }: ConnectViewInput): ReactElement {
  const { page, language, words, address } = view;
  const { page: texts } = language.texts;
  const { head, status, records, findings, checks, links, recordsFirst } = blocksOf(view);
  const names = namesOf(page);
  const { brand, app_name: app } = page;
  const back =
    brand.return_url === null ? null : { href: brand.return_url, text: fill(texts.backToApp, { app }) };
  // The page of a live domain has the link back to the app as a button.
  const footLinks = [status.link === null ? back : null, ...(links?.links ?? [])].filter(
    (link) => link !== null,
  );
  const result = <NoticeText code={notice} place="status" language={language} />;
  const recordsPanel = records ? <RecordsPanel block={records} names={names} /> : <Nothing id="records" />;
  return (
    <>
      <div
        id="pulse"
        data-live=""
        data-path={pageLink(address, '/live', { revision })}
        data-revision={revision}
        data-refresh={words.refreshS ?? ''}
        data-now={page.now}
        data-title={titleOf(view)}
      />
      <HeadPanel block={head} names={names} level="h1">
        <From page={page} texts={texts} />
      </HeadPanel>
      <StatusPanel block={status} names={names}>
        {back && (
          <a className="btn" href={back.href} rel="noopener noreferrer">
            {back.text}
          </a>
        )}
      </StatusPanel>
      {recordsFirst && recordsPanel}
      {findings ? <FindingsPanel block={findings} names={names} /> : <Nothing id="findings" />}
      {!recordsFirst && recordsPanel}
      {checks ? (
        <ChecksPanel block={checks} action={pageLink(address, '/check')}>
          {result}
        </ChecksPanel>
      ) : (
        <div className="stack" id="checks" data-live="">
          {result}
        </div>
      )}
      <Folds view={view} names={names} />
      <NotifyPanel view={view} notice={notice} typed={typed} />
      <AskPanel view={view} />
      <LinksPanel notes={links?.notes ?? []} links={footLinks} />
      <p className="unscripted small muted">{texts.reload}</p>
      <p id="offline" className="notice wait" hidden>
        {texts.offline}
      </p>
      <p id="announcer" className="hidden" role="status" />
    </>
  );
}

function Nothing({ id }: { id: string }): ReactElement {
  return <div id={id} data-live="" />;
}

/** Renders the app's logo, or the first letter of its name, with a sentence that says who asks. */
function From(input: { page: View['page']; texts: View['language']['texts']['page'] }): ReactElement {
  const { page, texts } = input;
  const { app_name, brand, status } = page;
  const app = (
    <b>
      <bdi>{app_name}</bdi>
    </b>
  );
  return (
    <p className="from">
      {brand.brand_logo === null ? (
        <i aria-hidden="true">{[...app_name][0]?.toUpperCase()}</i>
      ) : (
        <img src={brand.brand_logo} alt="" />
      )}
      <span>
        <Filled text={status === 'active' ? texts.connectedTo : texts.connectTo} values={{ app }} />
      </span>
    </p>
  );
}

/** Renders the folded parts. The choice of a DNS provider becomes part of the page's URL. */
function Folds({ view, names }: { view: View; names: readonly string[] }): ReactElement {
  const { address, language } = view;
  const { page: texts } = language.texts;
  const { folds } = blocksOf(view);
  const mail = colleagueMail(view);
  if (folds === null && mail === null) return <Nothing id="folds" />;
  const { lang } = address.choice;
  return (
    <FoldsPanel
      list={folds?.list ?? []}
      names={names}
      pick={(choice) => (
        <form className="ask-row" method="get" action={address.path}>
          {lang && <input type="hidden" name="lang" value={lang} />}
          <ProviderPicker of={choice} />
          <button type="submit">{texts.showSteps}</button>
        </form>
      )}
    >
      {mail && (
        <Folded id="hand-over" title={texts.colleagueTitle}>
          <HandOver mail={mail} view={view} />
        </Folded>
      )}
    </FoldsPanel>
  );
}
