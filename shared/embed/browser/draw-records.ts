import type {
  ContentField,
  CopyWords,
  MoveBlock,
  ProviderChoice,
  RecordCardContent,
  RecordsBlock,
} from '../../connect/content/connect-content.ts';
import type { Drawing } from './draw-content.ts';
import { element, outerLink } from './element.ts';

/** Draws the records, and the instructions to set them at the visitor's DNS provider. */
export function drawRecords(block: RecordsBlock, drawing: Drawing): HTMLElement {
  const { title, is_folded, one_click: oneClick, panel, records, caution, steps, providers } = block;
  const list = steps && element('ol', {}, ...steps.list.map((step) => element('li', {}, step)));
  return titled('records', title, is_folded, [
    oneClick && element('p', {}, oneClick.text),
    oneClick && outerLink(oneClick.link.text, oneClick.link.href, 'primary'),
    oneClick && element('p', { class: 'small' }, oneClick.alternative),
    panel && outerLink(panel.text, panel.href, 'secondary'),
    ...records.map((record, index) => drawCard(record, `record ${index}`, drawing)),
    caution === null ? null : element('p', { part: 'caution', class: 'inset fix' }, caution),
    list && (steps?.title ? folded(steps.title, [list]) : list),
    providers && drawProviders(providers, drawing),
  ]);
}

/** Draws the records with which a certificate can be issued before the hostname moves to our edge. */
export function drawMove({ title, is_folded, parts }: MoveBlock, drawing: Drawing): HTMLElement {
  const drawn = parts.flatMap(({ text, record }, index) => [
    element('p', {}, text),
    record && drawCard(record, `move ${index}`, drawing),
  ]);
  return titled('move', title, is_folded, drawn);
}

/** Draws a record. @param key identifies the record, so that its buttons keep the focus when the record is drawn again. */
export function drawCard({ title, fields }: RecordCardContent, key: string, drawing: Drawing): HTMLElement {
  return element(
    'div',
    { part: 'record', class: 'inset' },
    title === null ? null : element('h4', {}, title),
    drawFields(fields, key, drawing),
  );
}

export function drawFields(fields: readonly ContentField[], key: string, drawing: Drawing): HTMLElement {
  const drawn = fields.map((field, index) => drawField(field, `${key} ${index}`, drawing));
  return element('dl', {}, ...drawn);
}

function drawField(
  { label, value, old, copy, tip }: ContentField,
  key: string,
  drawing: Drawing,
): HTMLElement {
  return element(
    'div',
    { part: 'field' },
    element('dt', { part: 'label' }, label),
    element(
      'dd',
      {},
      old === null ? null : element('del', { part: 'old' }, code(old)),
      value === null ? null : code(value),
      value === null || copy === null ? null : copyButton(value, copy, key, drawing),
      tip === null ? null : element('p', { class: 'small' }, tip),
    ),
  );
}

/** DNS values are written from left to right in every language. */
function code(value: string): HTMLElement {
  return element('code', { part: 'value', dir: 'ltr' }, value);
}

function titled(
  part: string,
  title: string,
  isFolded: boolean,
  children: (HTMLElement | null)[],
): HTMLElement {
  if (isFolded) return element('section', { part, class: 'card' }, folded(title, children));
  const id = `${part}-title`;
  return element(
    'section',
    { part, class: 'card', 'aria-labelledby': id },
    element('h3', { id }, title),
    ...children,
  );
}

function folded(title: string, children: (HTMLElement | null)[]): HTMLElement {
  return element('details', {}, element('summary', { 'data-key': title }, title), ...children);
}

function drawProviders({ title, label, chosen, list }: ProviderChoice, { choose }: Drawing): HTMLElement {
  const options = list.map(({ id, name }) => {
    const option = element('option', { value: id }, name);
    option.selected = id === chosen;
    return option;
  });
  const select = element('select', { id: 'provider', 'data-key': 'provider' }, ...options);
  select.addEventListener('change', () => choose(select.value));
  return folded(title, [element('p', {}, element('label', { for: 'provider' }, label), ' ', select)]);
}

const SHOWN_MS = 2000;

/** Draws a button that copies a text, and confirms the copy on the button and to screen readers. */
export function copyButton(text: string, { label, name, said }: CopyWords, key: string, drawing: Drawing) {
  const { announce, words } = drawing;
  const button = element(
    'button',
    { part: 'button copy', type: 'button', 'aria-label': name, 'data-key': key },
    label,
  );
  button.addEventListener('click', async () => {
    const copied = await copy(text, button);
    announce(copied ? said : words.copy_failed);
    button.textContent = copied ? words.copied : words.select_it;
    setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
  return button;
}

/** There is no clipboard API without HTTPS or in a frame without permission. The older method copies a selection. */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element('textarea', { class: 'hidden', 'aria-hidden': 'true' });
    area.value = text;
    button.after(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    button.focus();
    return copied;
  }
}
