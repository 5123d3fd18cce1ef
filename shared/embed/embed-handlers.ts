import type { CheckResponse } from '../connect/content/connect-content.ts';
import { contentOf } from '../connect/content/content-of.ts';
import { OTHER_PROVIDER, pagePath } from '../connect/page-path.ts';
import { viewOf } from '../connect/view.ts';
import type { Language } from '../core/connect-texts/catalog.ts';
import { ServiceError } from '../core/errors.ts';
import { PROVIDERS } from '../core/providers/providers.ts';
import { findGrantedDomain } from '../operations/connect/connect-tokens.ts';
import { getConnectPage } from '../operations/connect/get-connect-page.ts';
import type { Context } from '../operations/context.ts';
import { checkAgain } from '../operations/dns/verify-domain.ts';
import type { EmbedRequest } from './serve-embed.ts';

type Worded = EmbedRequest & { language: Language };

/** Responds with the content of the component. Sends nothing (204) if the visitor already has it. */
export async function readContent(context: Context, request: Worded): Promise<Response> {
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

/** Asks for a check, under the same limit as the API's `verify`. */
export async function requestCheckNow(context: Context, { grant, language }: Worded): Promise<Response> {
  const { messages } = language.texts;
  const { connect_token } = await findGrantedDomain(context, grant);
  try {
    await checkAgain(context, connect_token);
    return checked({ notice: messages.checking, is_queued: true });
  } catch (thrown) {
    const code = thrown instanceof ServiceError ? thrown.code : null;
    if (code === 'rate_limited') return checked({ notice: messages.checkedRecently, is_queued: false });
    if (code === 'validation_failed') return checked({ notice: messages.nothingToCheck, is_queued: false });
    throw thrown;
  }
}

function checked(body: CheckResponse): Response {
  return Response.json(body);
}

function readProvider(text: string | null): string | null {
  return text === OTHER_PROVIDER || PROVIDERS.some(({ id }) => id === text) ? text : null;
}
