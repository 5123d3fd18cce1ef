import type { ReactElement } from 'react';
import { NOTICES, type Notice, type NoticeCode } from '../notices.ts';

/** Renders the result of a form in the part of the page where it belongs. */
export function NoticeText(input: { code: NoticeCode | null; place: Notice['place'] }): ReactElement | null {
  if (input.code === null) return null;
  const notice: Notice = NOTICES[input.code];
  if (notice.place !== input.place) return null;
  return (
    <p className={`notice ${notice.tone}`} id={`${input.place}-notice`} data-notice="">
      {notice.text}
      {notice.unscripted === undefined ? null : <span className="unscripted"> {notice.unscripted}</span>}
    </p>
  );
}
