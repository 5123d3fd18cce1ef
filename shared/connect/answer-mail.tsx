import {
  confirmSubscription as confirm,
  unsubscribe as endSubscription,
  findSubscription,
} from '../operations/connect/mail-subscriptions.ts';
import type { Context } from '../operations/context.ts';
import type { ConnectRequest } from './answer-connect.tsx';
import { ConfirmView, UnsubscribeView } from './mail-views.tsx';
import { pagePath } from './page-path.ts';
import { MessageView } from './panels/message-view.tsx';
import { pageHeaders, renderPage } from './render.tsx';

/** Where the links of a mail lead. Opening one changes nothing, since scanners open links: a button does. */
export const MAIL_ANSWERS = { mail, confirm_mail, leave_mail, unsubscribe };

async function mail(context: Context, { token }: ConnectRequest): Promise<Response> {
  const subscription = await findSubscription(context, token);
  if (subscription === null) return over(404);
  const path = pagePath(context, 'mail', token);
  const title = `E-mail about ${subscription.hostname}`;
  return renderPage(200, title, <ConfirmView subscription={subscription} path={path} />);
}

async function confirm_mail(context: Context, { token }: ConnectRequest): Promise<Response> {
  if (!(await confirm(context, token))) return over(404);
  const location = pagePath(context, 'mail', token);
  return new Response(null, { status: 303, headers: { ...pageHeaders(), location } });
}

async function leave_mail(context: Context, { token }: ConnectRequest): Promise<Response> {
  const subscription = await findSubscription(context, token);
  if (subscription === null) return over(404);
  const path = pagePath(context, 'mail', token);
  return renderPage(200, 'No more e-mail', <UnsubscribeView subscription={subscription} path={path} />);
}

/** A person's button, or a mail program by itself (RFC 8058), which follows no redirect. Twice is as good as once. */
async function unsubscribe(context: Context, { token }: ConnectRequest): Promise<Response> {
  await endSubscription(context, token);
  return over(200);
}

function over(status: 200 | 404): Response {
  const headline = status === 200 ? 'You get no more e-mail' : 'This link is no longer valid';
  return renderPage(
    status,
    headline,
    <MessageView tone={status === 200 ? 'good' : 'quiet'} headline={headline}>
      <p>
        {status === 200 ? 'Your address is deleted.' : 'No e-mail is sent because of it any more.'} You can
        close this page.
      </p>
    </MessageView>,
  );
}
