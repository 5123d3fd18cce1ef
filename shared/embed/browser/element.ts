import { type IconName, iconPaths } from '../../core/look/icons.ts';

type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

/** Creates an element. Leaves out attributes that are null or false. Adds strings as text, never as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Creates one of our icons. Words always accompany an icon. */
export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of [
    ['class', 'i'],
    ['viewBox', '0 0 16 16'],
    ['aria-hidden', 'true'],
  ] as const)
    svg.setAttribute(key, value);
  for (const { kind, d } of iconPaths(name)) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', kind);
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/**
 * Creates a link that opens in a new tab. Drops an address with a scheme other than https or mailto.
 * @param look the part: `primary` and `secondary` look like buttons.
 */
export function outerLink(text: string, href: string, look: 'primary' | 'secondary' | 'link'): HTMLElement {
  if (!/^(https|mailto):/.test(href)) return element('span', {}, text);
  const target = href.startsWith('https:') ? '_blank' : null;
  const name = { primary: 'btn lead', secondary: 'btn', link: null }[look];
  const attributes = { part: look, class: name, href, target, rel: 'noopener noreferrer' };
  return element('a', attributes, element('span', {}, text), name === null ? null : icon('out'));
}
