import type { ReactElement } from 'react';
import { Icon } from '../../connect/panels/icons.tsx';
import { sentencesOf } from './send.ts';
import { createSharedValue, useSharedValue } from './shared-value.ts';

interface Notice {
  tone: 'good' | 'bad';
  text: string;
  /** A number that distinguishes the notice from an earlier one with the same text. */
  count: number;
}

const SHOWN_MS = 6000;
const notice = createSharedValue<Notice | null>(null);
let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the result of a command on the page, and announces it to screen readers. */
export function notify(text: string, tone: Notice['tone'] = 'good'): void {
  count += 1;
  notice.set({ tone, text, count });
  clearTimeout(timer);
  // An error is shown until the person dismisses it.
  if (tone === 'good') timer = setTimeout(dismiss, SHOWN_MS);
}

export function dismiss(): void {
  notice.set(null);
}

export function notifyError(thrown: unknown): void {
  notify(sentencesOf(thrown).join(' '), 'bad');
}

export function NoticeList(): ReactElement {
  const shown = useSharedValue(notice);
  return (
    <div className="notices" role="status">
      {shown === null ? null : (
        <div className={`notice ${shown.tone}`} key={shown.count}>
          <Icon name={shown.tone === 'good' ? 'check' : 'warn'} />
          <p>{shown.text}</p>
          <button type="button" className="btn bare icon" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="x" />
          </button>
        </div>
      )}
    </div>
  );
}
