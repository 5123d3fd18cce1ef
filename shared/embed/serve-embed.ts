import { type H3, type H3Event, HTTPResponse } from 'h3';
import { compressed } from '../adapters/compress.ts';
import { createRateLimiter } from '../adapters/rate-limiter.ts';
import type { CheckResponse } from '../connect/content/connect-content.ts';
import { contentOf } from '../connect/content/content-of.ts';
import { pagePath, readProvider } from '../connect/page-path.ts';
import { viewOf } from '../connect/view.ts';
import { BUDGETS } from '../core/budgets.ts';
import { type Language, languageOf } from '../core/connect-texts/catalog.ts';
import { negotiateLanguage, readLanguage } from '../core/connect-texts/language.ts';
import { ServiceError } from '../core/errors.ts';
import { type Admission, clientOf } from '../http/admission.ts';
import { respondError } from '../http/handle-route.ts';
import { createAccountFinder } from '../operations/apps/present-app.ts';
import {
  type ConnectGrant,
  findGrantedDomain,
  openConnectToken,
} from '../operations/connect/connect-tokens.ts';
import { getConnectPage } from '../operations/connect/get-connect-page.ts';
import type { Context } from '../operations/context.ts';
import { checkAgain } from '../operations/request-check.ts';
import { EMBED_PATHS } from './embed-paths.ts';

/** A request of the component. `grant` is the content of its connect token. */
interface EmbedRequest {
  grant: ConnectGrant;
  url: URL;
  language: Language;
}

/**
 * Adds the endpoints that the component `<nameplate-connect>` calls from the pages of apps. Any origin may call them, because a connect
 * token is the only credential, and cookies are neither read nor allowed. All visitors of an account share one limit, separate from the
 * account's own requests (`decisions/0052`).
 * @param admission limits how much of the node's capacity each account uses. Null in the emulator, which has no such limits.
 * @returns the paths of these endpoints, which reserve capacity themselves.
 */
export function serveEmbed(app: H3, context: Context, admission: Admission | null): readonly string[] {
  const { settings, wallClock } = context;
  const takeOfDomain = createRateLimiter(BUDGETS.component_domain, wallClock);
  const takeOfAccount = createRateLimiter(settings.appRate ?? settings.rate, wallClock);
  const accountOf = createAccountFinder(context.store);

  async function respond(
    event: H3Event,
    handler: (context: Context, request: EmbedRequest) => Promise<Response>,
  ) {
    const requestId = context.ids('req');
    const client = clientOf(event);
    let party = client.network;
    try {
      const grant = openConnectToken(context, readBearer(event.req.headers.get('authorization')));
      const accountId = await accountOf(grant.app_id);
      party = `connect ${accountId}`;
      refuseTooFast(takeOfDomain(grant.domain_id));
      refuseTooFast(takeOfAccount(accountId));
      const lang = readLanguage(event.url.searchParams.get('lang'));
      const language = languageOf(lang ?? negotiateLanguage(event.req.headers.get('accept-language')));
      const work = () => handler(context, { grant, url: event.url, language });
      const response = await (admission === null
        ? work()
        : admission.servePage({ ...client, network: party }, work));
      for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
      response.headers.set('x-request-id', requestId);
      return compressed(event.req, response);
    } catch (thrown) {
      if (thrown instanceof ServiceError && (thrown.status === 401 || thrown.status === 429))
        await admission?.paceRefusal(party, client);
      const headers = { ...HEADERS, 'x-request-id': requestId };
      return respondError(context, thrown, headers, requestId);
    }
  }

  app.on('GET', EMBED_PATHS.content, (event) => respond(event, readContent));
  app.on('POST', EMBED_PATHS.check, (event) => respond(event, requestCheckNow));
  for (const path of Object.values(EMBED_PATHS)) {
    app.on('OPTIONS', path, () => new HTTPResponse(null, { status: 204, headers: PREFLIGHT }));
  }
  return Object.values(EMBED_PATHS);
}

/** The headers of every response. Any page may read the responses, but browsers send no cookies with these requests. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization',
  /** Two hours in seconds, the longest time that browsers accept. */
  'access-control-max-age': '7200',
};

function readBearer(authorization: string | null): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

function refuseTooFast({ allowed, retry_after_s }: ReturnType<ReturnType<typeof createRateLimiter>>): void {
  if (!allowed) throw new ServiceError('rate_limited', { retry_after_s });
}

/** Responds with the content of the component, or with 204 if the component already has this content. */
async function readContent(context: Context, request: EmbedRequest): Promise<Response> {
  const { grant, url, language } = request;
  const { connect_token } = await findGrantedDomain(context, grant);
  const page = await getConnectPage(context, connect_token, language.tag);
  if (page === null) throw new ServiceError('not_found');
  const choice = { lang: language.tag, provider: readProvider(url.searchParams.get('provider')) };
  const address = { path: pagePath(context, connect_token), choice };
  const content = contentOf(viewOf(page, language, address), grant.domain_id);
  return url.searchParams.get('revision') === content.revision
    ? new Response(null, { status: 204 })
    : Response.json(content);
}

/** Requests a check, with the same rate limit as `verify` of the API. */
async function requestCheckNow(context: Context, { grant, language }: EmbedRequest): Promise<Response> {
  const { messages } = language.texts;
  const { connect_token } = await findGrantedDomain(context, grant);
  try {
    await checkAgain(context, connect_token);
    return checked(messages.checking, true);
  } catch (thrown) {
    const code = thrown instanceof ServiceError ? thrown.code : null;
    if (code === 'rate_limited') return checked(messages.checkedRecently, false);
    if (code === 'validation_failed') return checked(messages.nothingToCheck, false);
    throw thrown;
  }
}

function checked(notice: string, isQueued: boolean): Response {
  return Response.json({ notice, is_queued: isQueued } satisfies CheckResponse);
}
