import type { ReactElement } from 'react';
import type { Language } from '../../core/connect-texts/catalog.ts';
import { fill } from '../../core/connect-texts/text.ts';
import type { TimeSentence } from '../content/connect-content.ts';
import { Filled } from './filled.tsx';

/** The locale of dates. For English, dates have the day first, as in most countries. */
const DATES_IN = { en: 'en-GB' } as const;

/**
 * Renders a time in UTC. The page's script converts it to the reader's time zone.
 * @param input.at RFC 3339.
 * @param input.relative true if the script shows it relative to now.
 */
export function TimeText(input: { at: string; relative: boolean; language: Language }): ReactElement {
  const { at, relative, language } = input;
  const { tag, texts } = language;
  const format = new Intl.DateTimeFormat(tag === 'en' ? DATES_IN.en : tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return (
    <time dateTime={at} data-time={relative ? 'relative' : 'local'}>
      {fill(texts.page.utc, { time: format.format(new Date(at)) })}
    </time>
  );
}

/** Renders a sentence that contains a time. @param relative as in `TimeText`. */
export function TimeSentenceText({
  of: { text, at },
  relative,
  language,
}: {
  of: TimeSentence;
  relative: boolean;
  language: Language;
}): ReactElement {
  if (at === null) return <>{text}</>;
  return (
    <Filled text={text} values={{ time: <TimeText at={at} relative={relative} language={language} /> }} />
  );
}
