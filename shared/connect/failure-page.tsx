import { HTTPError } from 'h3';
import { ServiceError } from '../core/errors.ts';
import type { Context } from '../operations/context.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { MessageView } from './panels/message-view.tsx';
import { renderPage } from './render.tsx';

/** Builds an error page in the customer's words. It reveals nothing about the cause. */
export function failurePage({ log }: Pick<Context, 'log'>, thrown: unknown): Response {
  const status = statusOf(thrown);
  if (status === 500) log.error({ error: thrown }, 'a connect page failed');
  const { headline, text } = FAILURES[status] ?? REFUSED;
  return renderPage(
    status,
    headline,
    <MessageView tone={status === 404 ? 'quiet' : 'bad'} headline={headline}>
      <p>{text}</p>
    </MessageView>,
  );
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof ServiceError || thrown instanceof HTTPError) return thrown.status;
  return isStoreUnavailable(thrown) ? 503 : 500;
}

const REFUSED = {
  headline: 'This did not work',
  text: 'We could not accept your request. Please open the page again from its link and retry.',
};

const FAILURES: Readonly<Record<number, { headline: string; text: string }>> = {
  404: {
    headline: "This link doesn't work",
    text: 'It is incomplete or no longer valid. Please ask the person who sent it to you for a new one.',
  },
  500: {
    headline: 'Something went wrong on our side',
    text: 'Please try again in a moment. Nothing is lost, and your setup continues automatically.',
  },
  503: {
    headline: 'We are busy at the moment',
    text: 'Please try again in a moment. Nothing is lost, and your setup continues automatically.',
  },
};
