/**
 * Creates the elements of the component. The build uses this module in place of `react/jsx-runtime`, so that the component draws the panels
 * of the connect page without React. It adds strings as text, never as markup.
 */
type Child = Node | string | number | boolean | null | undefined | readonly Child[];
type Input = Readonly<Record<string, unknown>> & { readonly children?: Child };

/** Returns a new element, or what a function component returns. Leaves out attributes that are null, undefined or false. */
export function jsx<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  input: Input,
): HTMLElementTagNameMap[Tag];
export function jsx(tag: string | ((input: Input) => Child), input: Input): Child;
export function jsx(tag: string | ((input: Input) => Child), input: Input): Child {
  if (typeof tag === 'function') return tag(input);
  const { children, defaultValue, ...attributes } = input;
  const made = DRAWN.includes(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false || !isSafe(name, String(value))) continue;
    made.setAttribute(NAMES[name] ?? name, value === true ? '' : String(value));
  }
  made.append(Fragment({ children }));
  if (made instanceof HTMLSelectElement) made.value = String(defaultValue);
  return made;
}

export { jsx as jsxs };

export function Fragment({ children }: Input): DocumentFragment {
  const made = document.createDocumentFragment();
  for (const child of [children].flat(9) as Exclude<Child, readonly Child[]>[])
    if (child !== null && child !== undefined && typeof child !== 'boolean')
      made.append(typeof child === 'number' ? String(child) : child);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';
const DRAWN = ['svg', 'path'];
/** Names of attributes in React that differ from HTML by more than case. */
const NAMES: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for' };

/** Returns false for the address of a link with a scheme other than https and mailto. */
function isSafe(name: string, value: string): boolean {
  return name !== 'href' || /^(?:https|mailto):/.test(value);
}
