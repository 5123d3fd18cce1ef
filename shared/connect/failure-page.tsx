import { HTTPError } from 'h3';
import type { Language } from '../core/connect-texts/catalog.ts';
import { ServiceError } from '../core/errors.ts';
import type { Context } from '../operations/context.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { MessageView } from './panels/message-view.tsx';
import { renderPage } from './render.tsx';

/** Returns an error page in the customer's language, which reveals nothing about the cause. */
export function failurePage({ log }: Pick<Context, 'log'>, language: Language, thrown: unknown): Response {
  const status = statusOf(thrown);
  if (status === 500) log.error({ error: thrown }, 'a connect page failed');
  const { headline, text } = language.texts.messages[FAILURES[status] ?? 'refused'];
  return renderPage(
    status,
    headline,
    <MessageView tone={status === 404 ? 'quiet' : 'bad'} headline={headline}>
      <p>{text}</p>
    </MessageView>,
    language,
  );
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof ServiceError || thrown instanceof HTTPError) return thrown.status;
  return isStoreUnavailable(thrown) ? 503 : 500;
}

const FAILURES: Readonly<Record<number, 'notFound' | 'failed' | 'busy'>> = {
  404: 'notFound',
  500: 'failed',
  503: 'busy',
};
