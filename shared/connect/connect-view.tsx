import type { ReactElement } from 'react';
import type { ConnectPage } from '../operations/connect/get-connect-page.ts';
import type { NoticeCode } from './notices.ts';
import { ChecksPanel } from './panels/checks-panel.tsx';
import { FindingsPanel } from './panels/findings-panel.tsx';
import { HandOverPanel } from './panels/hand-over-panel.tsx';
import { HostnameText } from './panels/hostname-text.tsx';
import { MovePanel } from './panels/move-panel.tsx';
import { NotifyPanel } from './panels/notify-panel.tsx';
import { RecordsPanel } from './panels/records-panel.tsx';
import { StatusPanel } from './panels/status-panel.tsx';
import { TimeText } from './panels/time-text.tsx';
import { shownFindings } from './shown-finding.ts';
import { wordsOf } from './status-words.ts';

export interface ConnectViewInput {
  page: ConnectPage;
  /** Path of this page, without a trailing slash. */
  path: string;
  /** Identifies the shown content, so that an up-to-date page is not sent again. */
  revision: string;
  notice: NoticeCode | null;
  /** The address that was typed, if it has to be corrected. */
  address: string;
}

/**
 * Renders the content of the connect page. The script replaces each part with `data-live` whose markup has changed. Every part is always
 * present, and empty if it has nothing to say.
 */
export function ConnectView({ page, path, revision, notice, address }: ConnectViewInput): ReactElement {
  const findings = shownFindings(page);
  const words = wordsOf(page, findings);
  const visibleFindings = words.showsFindings ? findings : [];
  // A finding that only says that a record is missing comes after that record.
  const recordsFirst = visibleFindings[0]?.isAbsent ?? true;
  return (
    <>
      <div
        id="pulse"
        data-live=""
        data-path={`${path}/live`}
        data-revision={revision}
        data-refresh={words.refreshS ?? ''}
        data-now={page.now}
        data-title={titleOf(page)}
      />
      {page.mode === 'test' ? (
        <p className="test">
          <strong>This is a test domain.</strong> Your customers will see the same page. A timer takes the
          domain through the steps, usually within ten seconds. You don't need to add a DNS record, we don't
          look for one, and no visitors are affected.
        </p>
      ) : null}
      <header className="head">
        <p>
          Connect your domain to{' '}
          <strong>
            <bdi>{page.app_name}</bdi>
          </strong>
        </p>
        <h1>
          <HostnameText hostname={page.hostname} />
        </h1>
        {page.unicode_hostname === null ? null : (
          <p>
            also written <HostnameText hostname={page.unicode_hostname} />
          </p>
        )}
      </header>
      <StatusPanel page={page} words={words} />
      {recordsFirst ? <RecordsPanel page={page} words={words} /> : null}
      <FindingsPanel findings={visibleFindings} />
      {recordsFirst ? null : <RecordsPanel page={page} words={words} />}
      <ChecksPanel page={page} words={words} path={path} notice={notice} />
      <MovePanel page={page} />
      <NotifyPanel page={page} words={words} path={path} notice={notice} address={address} />
      <HandOverPanel page={page} words={words} findings={visibleFindings} />
      <Foot page={page} />
      <p id="offline" className="offline" hidden>
        We can't reach the server at the moment. This page keeps trying.
      </p>
      <p id="announcer" className="hidden" role="status" />
    </>
  );
}

/** Returns the title for the browser tab. */
export function titleOf(page: ConnectPage): string {
  return `${page.hostname}: ${wordsOf(page, shownFindings(page)).headline(page)}`;
}

function Foot({ page }: { page: ConnectPage }): ReactElement {
  const waiting = page.status === 'pending_dns' || page.status === 'verifying';
  return (
    <footer className="foot" id="foot" data-live="">
      {waiting ? (
        <p>
          You can close this page and come back later. We keep looking
          {Date.parse(page.now) < Date.parse(page.window_ends_at) ? (
            <>
              {' until '}
              <TimeText at={page.window_ends_at} relative={false} />
            </>
          ) : null}
          .
        </p>
      ) : null}
      <p className="unscripted">Reload this page to see the current status.</p>
    </footer>
  );
}
