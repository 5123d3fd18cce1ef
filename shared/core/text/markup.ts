/** Text that is already HTML. Any other text is escaped when it is put into a template. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupValue = Markup | string | number | readonly Markup[];

/** Template tag for HTML. It escapes values so that they are safe as text and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: MarkupValue[]): Markup {
  return new Markup(strings.reduce((made, string, index) => made + toText(values[index - 1] ?? '') + string));
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function toText(value: MarkupValue): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}
