import type { ReactElement, ReactNode } from 'react';
import { CONNECT_STYLE } from './connect-style.ts';

/** Renders a complete document of the customer's pages, with their stylesheet and, if it was built, their script. */
export function Document(input: { title: string; script: string; children: ReactNode }): ReactElement {
  const { title, script, children } = input;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title}</title>
        <style>{CONNECT_STYLE}</style>
        {script === '' ? null : <script>{script}</script>}
      </head>
      <body>
        <a className="skip" href="#main">
          Skip to the content
        </a>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}
