import type { ReactElement } from 'react';
import type { TimeSentence } from '../content/connect-content.ts';

/** Renders a sentence, with its time in UTC. The script shows the time in the visitor's time zone. */
export function TimeText({ of: { text, time } }: { of: TimeSentence }): ReactElement {
  const [before, after] = text.split('{time}');
  return (
    <p>
      {before}
      {time && (
        <time dateTime={time.at} data-time={time.form}>
          {time.utc}
        </time>
      )}
      {after}
    </p>
  );
}
