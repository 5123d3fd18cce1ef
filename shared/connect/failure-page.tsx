import { HTTPError } from 'h3';
import { ServiceError } from '../core/errors.ts';
import type { Context } from '../operations/context.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { MessageView } from './panels/message-view.tsx';
import { renderPage } from './render.tsx';

/** Says what went wrong in the customer's words, and nothing about us. */
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
  text: 'The request was refused. Please open the page again from its link and try once more.',
};

const FAILURES: Readonly<Record<number, { headline: string; text: string }>> = {
  404: {
    headline: 'This link leads nowhere',
    text: 'It is not complete, or no longer valid. Please ask whoever gave it to you for a new one.',
  },
  500: {
    headline: 'Something failed on our side',
    text: 'Please try again in a moment. Nothing is lost: what you have set up goes on by itself.',
  },
  503: {
    headline: 'We are busy at the moment',
    text: 'Please try again in a moment. Nothing is lost: what you have set up goes on by itself.',
  },
};
