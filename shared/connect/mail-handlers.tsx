import type { Language } from '../core/connect-texts/catalog.ts';
import { fill } from '../core/connect-texts/text.ts';
import {
  confirmSubscription as confirm,
  unsubscribe as endSubscription,
  findSubscription,
} from '../operations/connect/mail-subscriptions.ts';
import type { Context } from '../operations/context.ts';
import type { ConnectRequest } from './handle-connect.ts';
import { ConfirmView, UnsubscribeView } from './mail-views.tsx';
import { pageLink, pagePath } from './page-path.ts';
import { MessageView } from './panels/message-view.tsx';
import { connectHeaders, renderPage } from './render.tsx';

/**
 * The handlers of the pages that links in emails open. Opening a link changes nothing, because mail scanners open links. To make a change,
 * the reader has to press a button.
 */
export const MAIL_HANDLERS = { mail, confirmMail, leaveMail, unsubscribe };

async function mail(context: Context, { token, language, choice }: ConnectRequest): Promise<Response> {
  const subscription = await findSubscription(context, token);
  if (subscription === null) return endPage(404, language);
  const address = { path: pagePath(context, 'mail', token), choice };
  const title = fill(language.texts.messages.mailTitle, { hostname: subscription.hostname });
  const view = <ConfirmView subscription={subscription} address={address} language={language} />;
  return renderPage(200, title, view, language);
}

async function confirmMail(context: Context, { token, language, choice }: ConnectRequest): Promise<Response> {
  if (!(await confirm(context, token))) return endPage(404, language);
  const location = pageLink({ path: pagePath(context, 'mail', token), choice });
  return new Response(null, { status: 303, headers: { ...connectHeaders(), location } });
}

async function leaveMail(context: Context, { token, language, choice }: ConnectRequest): Promise<Response> {
  const subscription = await findSubscription(context, token);
  if (subscription === null) return endPage(404, language);
  const address = { path: pagePath(context, 'mail', token), choice };
  const view = <UnsubscribeView subscription={subscription} address={address} language={language} />;
  return renderPage(200, language.texts.messages.stopButton, view, language);
}

/**
 * Ends a subscription. The button calls this, and so do mail programs (RFC 8058), which follow no redirects. A second call has no effect.
 */
async function unsubscribe(context: Context, { token, language }: ConnectRequest): Promise<Response> {
  await endSubscription(context, token);
  return endPage(200, language);
}

function endPage(status: 200 | 404, { tag, texts }: Language): Response {
  const { stoppedTitle, stoppedText, linkEndedTitle, linkEndedText } = texts.messages;
  const headline = status === 200 ? stoppedTitle : linkEndedTitle;
  return renderPage(
    status,
    headline,
    <MessageView tone={status === 200 ? 'good' : 'quiet'} headline={headline}>
      <p>{status === 200 ? stoppedText : linkEndedText}</p>
    </MessageView>,
    { tag, texts },
  );
}
