import { HTTPResponse } from 'h3';
import { ServiceError } from '../core/errors.ts';
import {
  beginProviderSignIn,
  finishProviderSignIn,
  ProviderSignInError,
  redirectUri,
} from '../operations/members/provider-sign-in.ts';
import { newToken } from '../operations/members/sign-in.ts';
import type { IdentityProvider } from '../ports/accounts.ts';
import { browserCookie, readBrowser, signedInCookies } from './cookies.ts';
import type { DashboardCall, DashboardHandler } from './dashboard-call.ts';
import { explainRefusal, refusalPage } from './provider-page.ts';
import { respondFailure } from './respond.ts';

/** Handles `GET /dashboard/sign-in/oidc`: redirects the browser to the identity provider. */
export const beginAtProvider: DashboardHandler = (call) =>
  orPage(call, async () => {
    const { context, url, session, client } = call;
    const { browserToken: known, sessionToken } = readBrowser(call.request);
    const browserToken = known ?? newToken(context);
    const target = await beginProviderSignIn(context, providerOf(call), {
      next: url.searchParams.get('next') ?? undefined,
      browserToken,
      session,
      sessionToken: session === null ? null : sessionToken,
      network: client.network,
    });
    return redirect(target, [browserCookie(browserToken)]);
  });

/** Handles `GET /dashboard/sign-in/oidc/callback`, to which the provider sends the browser back: completes the sign-in. */
export const finishAtProvider: DashboardHandler = (call) =>
  orPage(call, async () => {
    const { context, request, url } = call;
    // Uses the URL that is registered with the provider, even if the request has another Host.
    const callback = new URL(`${redirectUri(context)}${url.search}`);
    const started = await finishProviderSignIn(context, providerOf(call), callback, readBrowser(request));
    return redirect(started.next, signedInCookies(context, started));
  });

/** Runs a handler. Responds to each refusal with a page, because the browser shows the response to a person. */
async function orPage(call: DashboardCall, run: () => Promise<HTTPResponse>): Promise<HTTPResponse> {
  try {
    return await run();
  } catch (thrown) {
    const provider = providerOf(call);
    if (thrown instanceof ProviderSignInError) {
      const explained = explainRefusal(thrown.refusal, provider);
      const retryAfter = explained.status === 503 ? '10' : null;
      return refusalPage(call.context.settings, { ...explained, next: thrown.next, retryAfter });
    }
    const { status, headers } = respondFailure(call.context, thrown);
    const isLimited = thrown instanceof ServiceError && thrown.code === 'rate_limited';
    return refusalPage(call.context.settings, {
      status: status ?? 500,
      title: isLimited ? 'Too many sign-ins' : 'The sign-in failed',
      text: isLimited
        ? 'Too many sign-ins were begun in your network. Wait a while, then try again.'
        : 'Something went wrong on our side. Try again.',
      next: call.url.searchParams.get('next'),
      retryAfter: new Headers(headers).get('retry-after'),
    });
  }
}

/** Returns the identity provider. There always is one, because `serve-dashboard.ts` adds these routes only with a provider. */
function providerOf({ options: { identityProvider } }: DashboardCall): IdentityProvider {
  if (identityProvider === null) throw new ServiceError('not_found');
  return identityProvider;
}

/**
 * Redirects the browser with 303, so that it requests the location with GET.
 * @param location an address of the provider, or a path of the dashboard.
 */
function redirect(location: string, cookies: readonly string[]): HTTPResponse {
  const headers = new Headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  for (const each of cookies) headers.append('set-cookie', each);
  return new HTTPResponse(null, { status: 303, headers });
}
