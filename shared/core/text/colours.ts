const LIGHT = `
  --ground: #f5f6f8; --card: #fff; --soft: #f2f4f7; --line: #dde1e7; --text: #181b20; --muted: #565e6b;
  --accent: #1f4fd1; --on-accent: #fff; --accent-soft: #eaf0ff;
  --good: #0b7040; --good-soft: #e5f5ec; --bad: #b02a1c; --bad-soft: #fdeeec; --wait: #84560a; --wait-soft: #fdf3df;
`;

/** The colours of pages with a dark background. */
const DARK = `
  --ground: #101317; --card: #191d23; --soft: #22272f; --line: #323944; --text: #e9ebee; --muted: #a6afbd;
  --accent: #9db8ff; --on-accent: #0d1530; --accent-soft: #1d2947;
  --good: #6bd69a; --good-soft: #13291e; --bad: #ff9c92; --bad-soft: #361b19; --wait: #f0c36a; --wait-soft: #302611;
`;

/** The colours of our own pages, light and dark: backgrounds, text and accents, and a pair of colours for each kind of status. */
export const COLOURS = `
:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
`;

/**
 * The colours of pages on which the reader can choose between light and dark. The attribute `data-theme` of the root element has the
 * choice.
 */
export const CHOSEN_COLOURS = `
:root { color-scheme: light dark; ${LIGHT} }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} } }
`;
