import { COLOURS } from './tokens.ts';

const [blue] = COLOURS.fill;
const [white] = COLOURS['on-fill'];
const [brass] = COLOURS.screw;
const N = 'd="M10 23V9h4.2l4.1 7.4V9H22v14h-4.2l-4.1-7.4V23z"';
const ICONS = {
  live: `<rect y="3" width="32" height="26" rx="7" fill="${blue}"/><path fill="${white}" ${N}/><circle cx="5.4" cy="16" r="2.1" fill="${brass}"/><circle cx="26.6" cy="16" r="2.1" fill="${brass}"/>`,
  test: `<rect x="1.5" y="4.5" width="29" height="23" rx="6" fill="${white}" stroke="${blue}" stroke-width="3" stroke-dasharray="6 3.2"/><path fill="${blue}" ${N}/>`,
};

/** Returns the icon of a browser tab as a `data:` URL: the plate, or a paper label on a page that shows test mode. */
export function tabIcon(mode: 'live' | 'test' = 'live'): string {
  return `data:image/svg+xml,${encodeURIComponent(tabIconSvg(mode))}`;
}

export function tabIconSvg(mode: 'live' | 'test' = 'live'): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${ICONS[mode]}</svg>`;
}
