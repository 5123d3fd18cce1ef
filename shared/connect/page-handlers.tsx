import { createHash } from 'node:crypto';
import { fill } from '../core/connect-texts/text.ts';
import { ServiceError } from '../core/errors.ts';
import { type Instant, SECOND_MS } from '../core/instant.ts';
import { type ConnectPage, getConnectPage } from '../operations/connect/get-connect-page.ts';
import { subscribe } from '../operations/connect/mail-subscriptions.ts';
import type { Context } from '../operations/context.ts';
import { checkAgain } from '../operations/request-check.ts';
import { ConnectView } from './connect-view.tsx';
import type { ConnectRequest } from './handle-connect.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { NOTICES, type NoticeCode, readNotice } from './notices.ts';
import { type PageAddress, pageLink, pagePath } from './page-path.ts';
import { connectHeaders, renderPage, renderPart } from './render.tsx';
import { titleOf, viewOf } from './view.ts';

/** The handlers of the connect page, its refresh, and its two forms. */
export const PAGE_HANDLERS = { page, live, check, notify };

async function page(context: Context, request: ConnectRequest): Promise<Response> {
  const { searchParams } = request.url;
  // If the customer did not allow the DNS provider to set the records, the provider adds an error to the URL.
  const isRefused = searchParams.has('error');
  const notice = isRefused ? 'provider_refused' : readNotice(searchParams.get('notice'));
  const at = searchParams.get('at');
  return respondWithPage(context, request, { notice, ...(at !== null && { askedAt: Number(at) }) });
}

/** Responds to the refresh of an open page. Responds with 204 if the page is up to date. */
async function live(context: Context, request: ConnectRequest): Promise<Response> {
  const { url, language } = request;
  const shown = await readPage(context, request);
  const revision = revisionOf(shown);
  if (url.searchParams.get('revision') === revision) {
    return new Response(null, { status: 204, headers: connectHeaders() });
  }
  const view = viewOf(shown, language, addressOf(context, request));
  return renderPart(<ConnectView view={view} revision={revision} notice={null} typed="" />);
}

async function check(context: Context, request: ConnectRequest): Promise<Response> {
  const askedAt = context.clock.now();
  const notice = await noticeOf(() => checkAgain(context, request.token), 'checking', {
    rate_limited: 'checked_recently',
    validation_failed: 'nothing_to_check',
  });
  return seeOther(addressOf(context, request), { notice, at: String(askedAt) });
}

async function notify(context: Context, request: ConnectRequest): Promise<Response> {
  const { token, readForm, language } = request;
  const address = (await readForm()).get('address') ?? '';
  const subscription = { connect_token: token, address, language: language.tag };
  const notice = await noticeOf(() => subscribe(context, subscription), 'mail_sent', {
    rate_limited: 'mail_too_often',
    validation_failed: 'mail_address',
  });
  // Shows the address as typed, so that the customer can correct it.
  return notice === 'mail_address'
    ? respondWithPage(context, request, { status: 422, notice, typed: address.slice(0, 254) })
    : seeOther(addressOf(context, request), { notice });
}

async function readPage(context: Context, { token, choice }: ConnectRequest): Promise<ConnectPage> {
  const found = await getConnectPage(context, token, choice.lang);
  if (found === null) throw new ServiceError('not_found');
  return found;
}

function addressOf(context: Context, { token, choice }: ConnectRequest): PageAddress {
  return { path: pagePath(context, token), choice };
}

async function respondWithPage(
  context: Context,
  request: ConnectRequest,
  options: {
    status?: number;
    notice: NoticeCode | null;
    /** When the customer requested the check that the notice is about. */
    askedAt?: Instant;
    typed?: string;
  },
): Promise<Response> {
  const { status = 200, askedAt = Number.POSITIVE_INFINITY, typed = '' } = options;
  const { language } = request;
  const shown = await readPage(context, request);
  const isChecked = Date.parse(shown.last_checked_at ?? '') > askedAt;
  // If the URL is opened again later, the notice in it is out of date.
  const isOver = isChecked && context.clock.now() - askedAt > NOTICE_MS;
  const notice = isOver ? null : options.notice;
  // If the check has already ended, an empty revision lets the next refresh of the page announce the result.
  const revision = isChecked ? '' : revisionOf(shown);
  const address = addressOf(context, request);
  const view = viewOf(shown, language, address);
  return renderPage(
    status,
    titleOf(view),
    <>
      <meta name="description" content={fill(language.texts.page.connectTo, { app: shown.app_name })} />
      <ConnectView view={view} revision={revision} notice={notice} typed={typed} />
      <LanguageSwitch language={language} address={address} />
    </>,
    language,
    shown.brand,
  );
}

/** How long the notice about a requested check is shown, even if the check has ended. */
const NOTICE_MS = 5 * SECOND_MS;

/**
 * Returns a digest of everything that the page shows, apart from the time of rendering. The language and the provider need not be included,
 * because they are in the URL.
 */
function revisionOf(shown: ConnectPage): string {
  const text = JSON.stringify({ ...shown, now: null });
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Runs the work of a form and returns the code of the notice about the result. */
async function noticeOf(
  work: () => Promise<void>,
  done: NoticeCode,
  refused: Record<'rate_limited' | 'validation_failed', NoticeCode>,
): Promise<NoticeCode> {
  try {
    await work();
    return done;
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    if (thrown.code !== 'rate_limited' && thrown.code !== 'validation_failed') throw thrown;
    return refused[thrown.code];
  }
}

/** Redirects back to the page with GET, so that a reload does not send the form again. */
function seeOther(address: PageAddress, query: { notice: NoticeCode; at?: string }): Response {
  const location = `${pageLink(address, '', { ...query })}#${NOTICES[query.notice].place}`;
  return new Response(null, { status: 303, headers: { ...connectHeaders(), location } });
}
