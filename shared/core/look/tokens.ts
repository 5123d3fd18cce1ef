/**
 * The colours of our pages, the component and mails: on a light background, then on a dark one. `test/core/look/tokens.test.ts` checks the
 * contrast of each pair that occurs (WCAG 2.2: 4.5 for text, 3 for icons and borders).
 */
export const COLOURS = {
  // Backgrounds, lines and text.
  ground: ['#f7f5f0', '#12110f'],
  card: ['#ffffff', '#1a1916'],
  soft: ['#f1eee7', '#24221e'],
  line: ['#e3ded4', '#35322b'],
  edge: ['#8a8477', '#837d70'],
  text: ['#1c1a16', '#f0ede6'],
  muted: ['#5e594f', '#ada79b'],
  // Links, selection and focus; then filled buttons and bars.
  accent: ['#2b3aae', '#b3bdff'],
  'on-accent': ['#ffffff', '#10153f'],
  'accent-soft': ['#eceefc', '#232950'],
  fill: ['#2b3aae', '#4c5be0'],
  'fill-hover': ['#212d8f', '#5867e6'],
  'on-fill': ['#ffffff', '#ffffff'],
  // The plate that shows a hostname, and the side wall of live mode.
  plate: ['#24309a', '#2f3db4'],
  'on-plate': ['#ffffff', '#ffffff'],
  screw: ['#d9ae56', '#dfb761'],
  wall: ['#1b2470', '#171e58'],
  'on-wall': ['#ffffff', '#ffffff'],
  'wall-muted': ['#bcc3f3', '#b4bbee'],
  'wall-soft': ['#2c3790', '#2a3480'],
  'wall-line': ['#3a459c', '#303a86'],
  // States: the plain name is for words, `-soft` for backgrounds, `-fill` for icons and bars.
  good: ['#0f6a3d', '#72d6a0'],
  'good-soft': ['#e2f2e7', '#14291d'],
  'good-fill': ['#1c8a53', '#2fa468'],
  wait: ['#7a5200', '#f0c572'],
  'wait-soft': ['#fbf0d8', '#2f2611'],
  'wait-fill': ['#c07f08', '#d19a2a'],
  bad: ['#b0281c', '#ff9d91'],
  'bad-soft': ['#fdebe8', '#371b18'],
  'bad-fill': ['#cf3d2c', '#e05a49'],
  held: ['#75378a', '#dca9ee'],
  'held-soft': ['#f5ebf8', '#2c1b33'],
  'held-fill': ['#9650ac', '#a865bd'],
  alarm: ['#cf3d2c', '#c8402f'],
  'on-alarm': ['#ffffff', '#ffffff'],
  // Code panels, which are dark in both themes.
  code: ['#131838', '#10142f'],
  'code-head': ['#1b2148', '#181d40'],
  'code-line': ['#2c3362', '#2a3160'],
  'code-text': ['#e9ebfb', '#e9ebfb'],
  'code-muted': ['#a3a9d6', '#a3a9d6'],
  'code-key': ['#aebbff', '#aebbff'],
  'code-string': ['#f2cd8b', '#f2cd8b'],
  'code-number': ['#8fdcb2', '#8fdcb2'],
  'code-name': ['#ffb3a6', '#ffb3a6'],
} as const satisfies Record<string, Shades>;
export type ColourName = keyof typeof COLOURS;

/** A colour on a light background, then on a dark one, as `#rrggbb`. */
type Shades = readonly [light: string, dark: string];

/** The stacks of fonts. Pages of ours load Atkinson Hyperlegible; pages of the app load no font. */
export const PLAIN_FONTS =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
export const PLAIN_MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

/** Sizes of type, in rem so that they follow the reader's own size, then weights, shapes and measures. */
const SCALE = `
  --sans: ${PLAIN_FONTS}; --mono: ${PLAIN_MONO};
  --t-1: .75rem; --t-2: .8125rem; --t-3: .875rem; --t-4: 1rem; --t-5: 1.25rem; --t-6: 1.75rem; --t-7: clamp(2.125rem, 1.2rem + 3.2vw, 3.25rem);
  --w-text: 400; --w-strong: 560; --w-title: 660;
  --r-1: .375rem; --r-2: .625rem; --border: 1px solid var(--line); --focus: 2px solid var(--accent);
  --quick: 120ms cubic-bezier(.2, 0, 0, 1);
  --head: 3rem; --side: 13.5rem; --row: 2.5rem; --control: 2rem;
`;
/** The shadows of what floats above a page: menus, dialogs and notices. */
const FLOAT: Shades = [
  '0 1px 2px rgb(28 26 22 / .06), 0 12px 32px rgb(28 26 22 / .16)',
  '0 1px 2px rgb(0 0 0 / .5), 0 12px 32px rgb(0 0 0 / .6)',
];
/** Larger targets and rows for fingers. */
const TOUCH = '@media (pointer: coarse) { :root { --control: 2.75rem; --row: 3rem; } }';
const LIGHT = declarations(0);
const DARK = declarations(1);

/** The custom properties of a page that follows the reader's system. */
export const TOKENS = `
:root { color-scheme: light dark; ${LIGHT} ${SCALE} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
${TOUCH}
`;

/** The custom properties of a page on which the reader can choose: `data-theme` of the root element has the choice. */
export const CHOSEN_TOKENS = `
:root { color-scheme: light dark; ${LIGHT} ${SCALE} }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} } }
${TOUCH}
`;

/** The colour that a colour of the component follows, if the page around the component has set only that one. */
const FOLLOWED: Partial<Record<ColourName, ColourName>> = {
  fill: 'accent',
  'fill-hover': 'accent',
  plate: 'accent',
  'on-fill': 'on-accent',
  'on-plate': 'on-accent',
  'good-fill': 'good',
  'wait-fill': 'wait',
  'bad-fill': 'bad',
};

/** Colours of the component that are mixed from others, so that they suit the colours of the page around it. */
const MIXED: [ColourName, string][] = [
  ['accent-soft', 'var(--accent) 12%, var(--card)'],
  ['good-soft', 'var(--good-fill) 15%, var(--card)'],
  ['wait-soft', 'var(--wait-fill) 15%, var(--card)'],
  ['bad-soft', 'var(--bad-fill) 15%, var(--card)'],
  ['screw', `${COLOURS.screw[0]} 65%, var(--on-plate)`],
];

/**
 * Returns the custom properties of the component. The page around it can set each colour as `--nameplate-…`. Otherwise `color-scheme` of
 * the page chooses the shade. Text on an accent of the page is black or white, whichever has more contrast.
 * @param style the CSS of the component, which decides the colours that are declared.
 */
export function componentTokens(style: string): string {
  const mixes = new Map(MIXED);
  const names = (Object.keys(COLOURS) as ColourName[]).filter(
    (name) => !mixes.has(name) && style.includes(`var(--${name})`),
  );
  const declared = (name: ColourName, value: string) => `--${name}: var(--nameplate-${name}, ${value});`;
  const colours = (shadeOf: (shades: Shades) => string) =>
    names.map((name) => {
      const [value, followed] = [shadeOf(COLOURS[name]), FOLLOWED[name]];
      return declared(name, followed === undefined ? value : `var(--nameplate-${followed}, ${value})`);
    });
  const mixed = MIXED.map(([name, parts]) => declared(name, `color-mix(in srgb, ${parts})`));
  const readable = (['fill', 'plate'] as const).map((name) => {
    const contrast = `lch(from var(--${name}) calc((49.44 - l) * infinity) 0 0)`;
    return declared(`on-${name}`, `var(--nameplate-on-accent, ${contrast})`);
  });
  return `
:host { ${colours(([light]) => light).join(' ')} ${mixed.join(' ')} ${SCALE} }
@supports (color: light-dark(#000, #fff)) { :host { ${colours(([light, dark]) => `light-dark(${light}, ${dark})`).join(' ')} } }
@supports (color: lch(from #000 l 0 0)) { :host { ${readable.join(' ')} } }
`;
}

/**
 * The fonts of our own pages. Until they have loaded, the browser shows fonts of the reader's system. `size-adjust` gives these the same
 * width, so that no line breaks at another word later. @param next the URL of the font for text. @param mono the URL of the font for values and code. */
export function fontFaces({ next, mono }: { next: string; mono: string }): string {
  return `
@font-face { font-family: "Atkinson Hyperlegible Next"; src: url(${next}) format("woff2"); font-weight: 400 700; font-display: swap; }
@font-face { font-family: "Atkinson Hyperlegible Mono"; src: url(${mono}) format("woff2"); font-weight: 400 600; font-display: swap; }
@font-face { font-family: "Sized Sans"; src: local("DejaVu Sans"); size-adjust: 87%; }
@font-face { font-family: "Sized Mono"; src: local("Menlo"), local("Liberation Mono"), local("DejaVu Sans Mono"), local("Courier New"); size-adjust: 104%; }
:root { --sans: "Atkinson Hyperlegible Next", ${PLAIN_FONTS.replace(/, sans-serif$/, ', "Sized Sans"$&')}; --mono: "Atkinson Hyperlegible Mono", "Sized Mono", ${PLAIN_MONO}; }
`;
}

function declarations(shade: 0 | 1): string {
  const colours = Object.entries(COLOURS).map(([name, shades]) => `--${name}: ${shades[shade]};`);
  return `${colours.join(' ')} --float: ${FLOAT[shade]};`;
}
