import type { ReactElement } from 'react';
import { fill } from '../core/connect-texts/text.ts';
import type { HeadBlock, LinksBlock } from './content/connect-content.ts';
import { blocksOf } from './content/content-of.ts';
import type { NoticeCode } from './notices.ts';
import { pageLink } from './page-path.ts';
import { AskPanel } from './panels/ask-panel.tsx';
import { ChecksPanel } from './panels/checks-panel.tsx';
import { Filled } from './panels/filled.tsx';
import { FindingsPanel } from './panels/findings-panel.tsx';
import { FoldsPanel } from './panels/folds-panel.tsx';
import { HostnameText, NamedText } from './panels/hostname-text.tsx';
import { Icon } from './panels/icons.tsx';
import { NotifyPanel } from './panels/notify-panel.tsx';
import { RecordsPanel } from './panels/records-panel.tsx';
import { StatusPanel } from './panels/status-panel.tsx';
import { TimeSentenceText } from './panels/time-text.tsx';
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
  const { head, status, records, findings, checks, folds, links, recordsFirst } = blocksOf(view);
  const recordsPanel = <RecordsPanel block={records} view={view} />;
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
      <Head block={head} view={view} />
      <StatusPanel block={status} view={view} />
      {recordsFirst ? recordsPanel : null}
      <FindingsPanel block={findings} page={page} />
      {recordsFirst ? null : recordsPanel}
      <ChecksPanel block={checks} view={view} notice={notice} />
      <FoldsPanel block={folds} view={view} />
      <NotifyPanel view={view} notice={notice} typed={typed} />
      <AskPanel view={view} />
      <Foot block={links} view={view} />
      <p className="unscripted small muted">{texts.reload}</p>
      <p id="offline" className="notice wait" hidden>
        {texts.offline}
      </p>
      <p id="announcer" className="hidden" role="status" />
    </>
  );
}

/** Renders the hostname in Unicode. If the hostname has letters other than a to z, also shows its form in DNS. */
function Head({ block, view: { page, language } }: { block: HeadBlock; view: View }): ReactElement {
  const { page: texts } = language.texts;
  const { app_name, brand, status } = page;
  const app = (
    <b>
      <bdi>{app_name}</bdi>
    </b>
  );
  return (
    <header className="stack" id="head" data-live="">
      {block.test && (
        <p className="paper-note">
          <Icon name="flask" />
          <span>
            <b>{block.test.title}</b> {block.test.text}
          </span>
        </p>
      )}
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
      <h1 className={`plate door ${block.plate}`}>
        <span>
          <HostnameText hostname={block.hostname} />
        </span>
      </h1>
      {block.notes.map(({ text, isWarning }) => (
        <p key={text} className={isWarning ? 'heed' : 'small muted'}>
          {isWarning ? <Icon name="warn" /> : null}
          <span>
            <NamedText text={text} page={page} />
          </span>
        </p>
      ))}
    </header>
  );
}

function Foot({ block, view: { page, language } }: { block: LinksBlock | null; view: View }): ReactElement {
  const { page: texts } = language.texts;
  return (
    <footer className="foot" id="foot" data-live="">
      {block?.notes.map((note) => (
        <p key={note.text}>
          <TimeSentenceText of={note} relative={false} language={language} />
        </p>
      ))}
      <BrandLinks page={page} texts={texts} />
    </footer>
  );
}

/** Renders the app's own links. They do not reveal the address of this page to the app. */
function BrandLinks(input: {
  page: View['page'];
  texts: View['language']['texts']['page'];
}): ReactElement | null {
  const { brand, app_name: app, status, mode } = input.page;
  const { contactApp, backToApp } = input.texts;
  const links = [
    // The page of a live domain has the link to the app as a button.
    [status === 'active' && mode === 'live' ? null : brand.return_url, backToApp],
    [brand.support_url, contactApp],
  ] as const;
  if (links.every(([href]) => href === null)) return null;
  return (
    <p className="brand-links">
      {links.map(([href, text]) =>
        href === null ? null : (
          <a key={text} href={href} rel="noopener noreferrer">
            {fill(text, { app })}
          </a>
        ),
      )}
    </p>
  );
}
