import { HTTPResponse } from 'h3';
import type { Settings } from '../core/settings.ts';
import { html } from '../core/text/markup.ts';
import type { ProviderRefusal } from '../operations/members/provider-sign-in.ts';
import type { IdentityProvider } from '../ports/accounts.ts';
import { dashboardHeaders, stylePath } from './dashboard-page.ts';

/** The path at which a sign-in with the company's provider begins. */
export const PROVIDER_PATH = '/dashboard/sign-in/oidc';

/** The texts of a refusal. */
interface Explained {
  status: number;
  title: string;
  text: string;
}

/** Returns the texts that explain why a sign-in with the provider failed, and what to do. */
export function explainRefusal(refusal: ProviderRefusal, { name, mailDomains }: IdentityProvider): Explained {
  const domains = mailDomains.join(', ');
  const texts: Record<ProviderRefusal, Explained> = {
    expired: {
      status: 410,
      title: 'This sign-in has expired',
      text: 'It took too long, was finished before, or began in another browser. Start again.',
    },
    cancelled: {
      status: 403,
      title: 'You are not signed in',
      text: `The sign-in at ${name} was cancelled, or you may not use this service there.`,
    },
    unavailable: {
      status: 503,
      title: `${name} does not respond`,
      text: 'Try again in a moment, or choose another way to sign in.',
    },
    refused: {
      status: 403,
      title: 'The sign-in failed',
      text: `We could not verify the response of ${name}. Try again. If it fails again, tell the operator of this service.`,
    },
    unverified_mail: {
      status: 403,
      title: 'Your email address is not verified',
      text: `${name} does not confirm that your email address is yours. Verify it there, then try again.`,
    },
    foreign_mail: {
      status: 403,
      title: 'Your email address is not allowed',
      text: `With ${name}, only addresses of ${domains} can sign in.`,
    },
    not_invited: {
      status: 403,
      title: 'You do not belong to an account',
      text: 'Ask an owner of the account for an invitation, then sign in again.',
    },
  };
  return texts[refusal];
}

/** Responds with a page that explains the refusal. @param page.next the path to open after another attempt. */
export function refusalPage(
  settings: Settings,
  page: Explained & { next: string | null; retryAfter: string | null },
): HTTPResponse {
  const { status, title, text, next, retryAfter } = page;
  const again = next === null ? PROVIDER_PATH : `${PROVIDER_PATH}?${new URLSearchParams({ next })}`;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${stylePath()}">
</head>
<body>
<main class="alone" id="main">
<h1>${title}</h1>
<p>${text}</p>
<p class="actions"><a class="btn lead" href="${again}">Try again</a> <a class="btn" href="/dashboard/sign-in">Other ways to sign in</a></p>
</main>
</body>
</html>
`;
  const headers = new Headers(dashboardHeaders(settings));
  if (retryAfter !== null) headers.set('retry-after', retryAfter);
  return new HTTPResponse(document.text, { status, headers });
}
