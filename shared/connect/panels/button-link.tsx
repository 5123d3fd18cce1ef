import type { ReactElement } from 'react';
import type { ContentLink } from '../content/connect-content.ts';
import { Icon } from './icons.tsx';
import { NamedText } from './named-text.tsx';

/** Renders a link that looks like a button and opens in a new tab. @param input.reveals the id of a part that the script shows after a click. */
export function ButtonLink(input: {
  link: ContentLink;
  look: 'primary' | 'secondary';
  names: readonly string[];
  reveals?: string;
}): ReactElement {
  const { link, look, names, reveals } = input;
  return (
    <a
      part={look}
      className={look === 'primary' ? 'btn lead' : 'btn'}
      href={link.href}
      target="_blank"
      rel="noopener noreferrer"
      data-reveals={reveals}
    >
      <span>
        <NamedText text={link.text} names={names} />
      </span>
      <Icon name="out" />
    </a>
  );
}
