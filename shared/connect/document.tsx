import type { ReactElement, ReactNode } from 'react';
import type { Language } from '../core/connect-texts/catalog.ts';
import { CONNECT_STYLE } from './connect-style.ts';
import { scriptWords } from './content/content-of.ts';

/** Renders a complete HTML document of the customer's pages, with the stylesheet and, if it was built, the script. */
export function Document(input: {
  title: string;
  script: string;
  /** CSS for the app's accent colour; empty if the app has none. */
  brandStyle: string;
  /** The app's logo as a data URL. Null leaves the tab without an icon, because the page is the app's and not ours. */
  icon: string | null;
  language: Language;
  children: ReactNode;
}): ReactElement {
  const { title, script, brandStyle, icon, language, children } = input;
  return (
    <html lang={language.tag}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title}</title>
        <link rel="icon" href={icon ?? 'data:,'} />
        <style>{CONNECT_STYLE}</style>
        {brandStyle === '' ? null : <style>{brandStyle}</style>}
        {script === '' ? null : <script>{script}</script>}
      </head>
      <body data-words={JSON.stringify(scriptWords(language))}>
        <a className="skip" href="#main">
          {language.texts.page.skip}
        </a>
        <main id="main" className="sheet" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}
