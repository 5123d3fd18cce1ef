import { COLOURS } from '../look/tokens.ts';

/** How an app appears on its customers' connect pages. */
export interface Brand {
  /** `#rrggbb`, dark enough for text and buttons on the light page. */
  brand_color: string | null;
  /** A PNG as a `data:` URL. */
  brand_logo: string | null;
  /** The page or the mail address at which the app helps its customers. */
  support_url: string | null;
  /** The app's page to which the connect page sends the customer back. */
  return_url: string | null;
}

/** The minimum contrast between text and its background (WCAG 2.2, 1.4.3). */
const CONTRAST_MIN = 4.5;
/** The minimum contrast between a button and its background (WCAG 2.2, 1.4.11). */
const PART_CONTRAST_MIN = 3;
/**
 * The darkest background of the light page, and the lightest background of the dark page. Text in the app's colour must be readable on
 * both.
 */
const [LIGHT_SURFACE, DARK_SURFACE] = COLOURS.soft;
const WHITE = COLOURS['on-fill'][0];
const BLACK = COLOURS['on-accent'][1];

/** Returns what is wrong with a colour; null if the page can use it. */
export function colorProblem(color: string): string | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return 'must be a colour such as #1f4fd1';
  const contrast = contrastOf(color, LIGHT_SURFACE);
  if (contrast >= CONTRAST_MIN) return null;
  const shown = Math.floor(contrast * 10) / 10;
  const better = mixUntil(color, BLACK, LIGHT_SURFACE);
  return `has a contrast of ${shown}:1 with the page and needs 4.5:1, so choose a darker colour, such as ${better}`;
}

/**
 * Returns the CSS that sets the colours of links, buttons and the plate of a page. A dark page gets lighter shades of the colour, as far as
 * white text on buttons and on the plate stays readable.
 */
export function accentStyle(color: string): string {
  const own = color.toLowerCase();
  const light = shades(own, own, LIGHT_SURFACE);
  const fill = mixUntil(own, WHITE, COLOURS.card[1], PART_CONTRAST_MIN);
  const dark = shades(mixUntil(own, WHITE, DARK_SURFACE), fill, DARK_SURFACE);
  return `:root{${light}}@media screen and (prefers-color-scheme:dark){:root{${dark}}}`;
}

function shades(accent: string, fill: string, soft: string): string {
  const [hover, screw] = [mix(fill, BLACK, 0.2), mix(COLOURS.screw[0], WHITE, 0.35)];
  return `--accent:${accent};--accent-soft:${soft};--fill:${fill};--fill-hover:${hover};--plate:${fill};--screw:${screw}`;
}

/** Mixes more and more of `other` into a colour, until the result has enough contrast with a background. */
function mixUntil(color: string, other: string, surface: string, min = CONTRAST_MIN): string {
  for (let percent = 0; percent < 100; percent += 5) {
    const mixed = mix(color, other, percent / 100);
    if (contrastOf(mixed, surface) >= min) return mixed;
  }
  return other;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function mix(color: string, other: string, share: number): string {
  const others = channels(other);
  const mixed = channels(color).map((value, index) => value * (1 - share) + (others[index] ?? 0) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns an app's name as pages show it, without characters that could reorder or hide the text around it. */
export function shownAppName(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim() || 'the app';
}
