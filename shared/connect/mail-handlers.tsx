import {
  confirmSubscription as confirm,
  unsubscribe as endSubscription,
  findSubscription,
} from '../operations/connect/mail-subscriptions.ts';
import type { Context } from '../operations/context.ts';
import type { ConnectRequest } from './handle-connect.tsx';
import { ConfirmView, UnsubscribeView } from './mail-views.tsx';
import { pagePath } from './page-path.ts';
import { MessageView } from './panels/message-view.tsx';
import { pageHeaders, renderPage } from './render.tsx';

/** The pages that links in emails lead to. Opening a link changes nothing, because mail scanners open links. Changes need a button. */
export const MAIL_HANDLERS = { mail, confirm_mail: confirmMail, leave_mail: leaveMail, unsubscribe };

async function mail(context: Context, { token }: ConnectRequest): Promise<Response> {
  const subscription = await findSubscription(context, token);
  if (subscription === null) return endPage(404);
  const path = pagePath(context, 'mail', token);
  const title = `Email about ${subscription.hostname}`;
  return renderPage(200, title, <ConfirmView subscription={subscription} path={path} />);
}

async function confirmMail(context: Context, { token }: ConnectRequest): Promise<Response> {
  if (!(await confirm(context, token))) return endPage(404);
  const location = pagePath(context, 'mail', token);
  return new Response(null, { status: 303, headers: { ...pageHeaders(), location } });
}

async function leaveMail(context: Context, { token }: ConnectRequest): Promise<Response> {
  const subscription = await findSubscription(context, token);
  if (subscription === null) return endPage(404);
  const path = pagePath(context, 'mail', token);
  return renderPage(200, 'Stop emails', <UnsubscribeView subscription={subscription} path={path} />);
}

/**
 * Ends a subscription. Called by the button, and by mail programs (RFC 8058), which follow no redirect. A second call has no further
 * effect.
 */
async function unsubscribe(context: Context, { token }: ConnectRequest): Promise<Response> {
  await endSubscription(context, token);
  return endPage(200);
}

function endPage(status: 200 | 404): Response {
  const headline = status === 200 ? 'You will get no more emails' : 'This link is no longer valid';
  return renderPage(
    status,
    headline,
    <MessageView tone={status === 200 ? 'good' : 'quiet'} headline={headline}>
      <p>
        {status === 200 ? 'We have deleted your address.' : 'We send no emails for it any more.'} You can
        close this page.
      </p>
    </MessageView>,
  );
}
