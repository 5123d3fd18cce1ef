import type { ReactElement } from 'react';

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/**
 * Renders a time in UTC. The script converts it to the reader's own time zone.
 * @param at RFC 3339.
 * @param relative true if the script shows it relative to now.
 */
export function TimeText({ at, relative }: { at: string; relative: boolean }): ReactElement {
  return (
    <time dateTime={at} data-time={relative ? 'relative' : 'local'}>
      {FORMAT.format(new Date(at))} UTC
    </time>
  );
}
