import type { ActivityItem } from '../../../emulator/state/activity.ts';
import type { EventDetail } from '../../../shared/schema/event.ts';
import { bodyLines, historyLines, sectionLines } from '../../events/screen/event-page.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { pageLines, paint } from '../../screen/page-lines.ts';

interface ItemPage {
  columns: number;
  /** The emulator's time, RFC 3339. */
  now: string;
  /** The event that the item belongs to; null until it is loaded, and for an item without an event. */
  event: EventDetail | null;
}

/** Returns the lines of an item's detail page. */
export function itemLines(item: ActivityItem, { columns, now, event }: ItemPage): string[] {
  const at = plainTime(new Date(item.at).toISOString());
  switch (item.kind) {
    case 'api':
    case 'edge': {
      const url = item.kind === 'api' ? item.path : `${item.host ?? ''}${item.path}`;
      const status = item.status === null ? 'none: the client left first' : plainText(item.status);
      return pageLines(columns, ({ fields, prose }) => [
        ...fields([
          ['request', plainText(item.method)],
          ['to', plainText(url)],
          ['response', status],
          ['at', at],
        ]),
        ...(item.kind === 'edge'
          ? ['', ...prose('The dashboard shows the headers of this request under Requests: press o.')]
          : []),
      ]);
    }
    case 'event':
    case 'webhook':
      if (event === null) return [paint('dim', 'Loading the event …')];
      return [
        ...pageLines(columns, (output) => [
          ...sectionLines(event, { now, blocker: null }, output),
          ...historyLines(event, output),
          '',
          paint('bold', 'Body'),
        ]),
        ...(event.body === null ? ['It is no longer stored.'] : bodyLines(event.body, columns)),
      ];
    case 'mail':
      return pageLines(columns, ({ fields }) => [
        ...fields([
          ['to', plainText(item.to)],
          ['subject', plainText(item.subject)],
          ['at', at],
        ]),
        '',
        ...item.text.split('\n').map(plainText),
      ]);
  }
}
