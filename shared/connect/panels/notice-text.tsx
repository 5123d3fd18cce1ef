import type { ReactElement } from 'react';
import type { Language } from '../../core/connect-texts/catalog.ts';
import { NOTICES, type NoticeCode } from '../notices.ts';

/** Renders the result of a form in the part of the page where it belongs. */
export function NoticeText(input: {
  code: NoticeCode | null;
  place: (typeof NOTICES)[NoticeCode]['place'];
  language: Language;
}): ReactElement | null {
  const { code, place, language } = input;
  if (code === null) return null;
  const { messages } = language.texts;
  const notice = NOTICES[code];
  if (notice.place !== place) return null;
  return (
    <p className={`notice ${notice.tone}`} id={`${place}-notice`} data-notice="">
      {messages[notice.say]}
      {code === 'checking' ? <span className="unscripted"> {messages.checkingUnscripted}</span> : null}
    </p>
  );
}
