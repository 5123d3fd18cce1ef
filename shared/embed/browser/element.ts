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

/** Creates a link that opens in a new tab. Drops an address with a scheme other than https or mailto. */
export function outerLink(text: string, href: string, look: string): HTMLElement {
  if (!/^(https|mailto):/.test(href)) return element('span', {}, text);
  const target = href.startsWith('https:') ? '_blank' : null;
  return element('a', { part: look, class: look, href, target, rel: 'noopener noreferrer' }, text);
}
