import type { ReactElement } from 'react';
import type { Language } from '../core/connect-texts/catalog.ts';
import { LANGUAGE_NAMES, LANGUAGE_TAGS } from '../core/connect-texts/language.ts';
import { type PageAddress, pageLink } from './page-path.ts';

/** Renders a link to the page in each of its languages. */
export function LanguageSwitch({
  language,
  address,
}: {
  language: Language;
  address: PageAddress;
}): ReactElement {
  return (
    <nav className="langs" aria-label={language.texts.page.language}>
      <ul>
        {LANGUAGE_TAGS.map((tag) => (
          <li key={tag}>
            <a
              href={pageLink(address, '', { lang: tag })}
              lang={tag}
              hrefLang={tag}
              aria-current={tag === language.tag ? 'true' : undefined}
            >
              {LANGUAGE_NAMES[tag]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
