import type { ReactElement } from 'react';
import { type FormNotice, NOTICES, type NoticeCode } from '../notices.ts';

/** Renders the result of a form in the part of the page where it belongs. */
export function NoticeText(input: {
  code: NoticeCode | null;
  place: FormNotice['place'];
}): ReactElement | null {
  if (input.code === null) return null;
  const notice: FormNotice = NOTICES[input.code];
  if (notice.place !== input.place) return null;
  return (
    <p className={`notice ${notice.tone}`} id={`${input.place}-notice`} data-notice="">
      {notice.text}
      {notice.unscripted === undefined ? null : <span className="unscripted"> {notice.unscripted}</span>}
    </p>
  );
}
