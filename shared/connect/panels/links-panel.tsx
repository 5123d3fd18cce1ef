import type { ReactElement } from 'react';
import type { ContentLink, TimeSentence } from '../content/connect-content.ts';
import { TimeText } from './time-text.tsx';

/** Renders the app's own links, which do not reveal the address of this page to the app. @param input.target where the links open. */
export function LinksPanel(input: {
  notes: readonly TimeSentence[];
  links: readonly ContentLink[];
  target?: '_blank';
}): ReactElement {
  const { notes, links, target } = input;
  return (
    <footer className="foot" id="links" data-live="" part="links">
      {notes.map((note) => (
        <TimeText key={note.text} of={note} />
      ))}
      {links.length > 0 && (
        <p className="brand-links">
          {links.map(({ text, href }) => (
            <a key={text} part="link" href={href} target={target} rel="noopener noreferrer">
              {text}
            </a>
          ))}
        </p>
      )}
    </footer>
  );
}
