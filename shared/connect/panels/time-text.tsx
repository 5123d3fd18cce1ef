import type { ReactElement } from 'react';

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/**
 * An instant in words; the script makes it the reader's own time.
 * @param at RFC 3339.
 * @param relative whether the script says how long ago or in what time it is.
 */
export function TimeText({ at, relative }: { at: string; relative: boolean }): ReactElement {
  return (
    <time dateTime={at} data-time={relative ? 'relative' : 'local'}>
      {FORMAT.format(new Date(at))} UTC
    </time>
  );
}
