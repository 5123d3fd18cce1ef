import type {
  ContentField,
  CopyWords,
  Fold,
  FoldsBlock,
  ProviderChoice,
  RecordCardContent,
  RecordsBlock,
  Way,
} from '../../connect/content/connect-content.ts';
import { rowClass } from '../../connect/content/row-class.ts';
import type { Drawing } from './draw-content.ts';
import { element, icon, outerLink } from './element.ts';

/** Draws what the visitor does with the records, as numbered actions. */
export function drawRecords(block: RecordsBlock, drawing: Drawing): HTMLElement {
  const { title, one_click: oneClick, ways, caution } = block;
  return element(
    'section',
    { part: 'records', class: 'card', 'aria-labelledby': 'records-title' },
    element('h2', { id: 'records-title' }, title),
    oneClick &&
      element(
        'div',
        { class: 'oneclick' },
        element('p', {}, oneClick.text),
        outerLink(oneClick.link.text, oneClick.link.href, 'primary'),
        element('p', { class: 'small muted' }, oneClick.alternative),
      ),
    element(
      'ol',
      { class: 'ways' },
      ...ways.map((way, index) =>
        drawWay(way, `way ${index}`, oneClick === null ? 'primary' : 'secondary', drawing),
      ),
    ),
    caution === null
      ? null
      : element('p', { part: 'caution', class: 'heed' }, icon('warn'), element('span', {}, caution)),
  );
}

function drawWay(way: Way, key: string, look: 'primary' | 'secondary', drawing: Drawing): HTMLElement {
  const { title, link, records, text } = way;
  return element(
    'li',
    { part: 'way' },
    element('p', { class: 'what' }, element('b', {}, title), link && outerLink(link.text, link.href, look)),
    ...records.flatMap((record, index) => drawCard(record, `${key} ${index}`, drawing)),
    text === null ? null : element('small', {}, text),
  );
}

/** Draws a record. @param key identifies the record, so that its buttons keep the focus when the record is drawn again. */
export function drawCard({ title, fields }: RecordCardContent, key: string, drawing: Drawing): HTMLElement[] {
  return [...(title === null ? [] : [element('h3', {}, title)]), drawFields(fields, 'record', key, drawing)];
}

export function drawFields(
  fields: readonly ContentField[],
  look: string,
  key: string,
  drawing: Drawing,
): HTMLElement {
  const drawn = fields.map((field, index) => drawField(field, `${key} ${index}`, drawing));
  return element('dl', { part: 'record', class: look }, ...drawn);
}

function drawField(field: ContentField, key: string, drawing: Drawing): HTMLElement {
  const { label, value, old, copy, tip } = field;
  return element(
    'div',
    { part: 'field', class: rowClass(field) },
    element('dt', { part: 'label' }, label),
    element(
      'dd',
      {},
      old === null ? null : element('del', { part: 'old' }, code(old)),
      value === null ? null : code(value),
    ),
    value === null || copy === null ? null : element('dd', {}, copyButton(value, copy, key, drawing)),
    tip === null ? null : element('dd', { class: 'note' }, tip),
  );
}

/** Draws a value, which breaks after its first dot if it is long. DNS values are written from left to right in every language. */
function code(value: string): HTMLElement {
  const end = value.indexOf('.') + 1;
  const attributes = { part: 'value', dir: 'ltr' };
  return element('code', attributes, value.slice(0, end), element('wbr'), value.slice(end));
}

/** Draws the parts of which only the title is visible at first. */
export function drawFolds({ list }: FoldsBlock, drawing: Drawing): HTMLElement {
  return element(
    'section',
    { part: 'folds', class: 'card fold' },
    ...list.map((fold) => drawFold(fold, drawing)),
  );
}

function drawFold({ id, title, parts, steps, providers }: Fold, drawing: Drawing): HTMLElement {
  const list = steps.map((step) => element('li', {}, element('p', {}, step)));
  return element(
    'details',
    { id: `fold-${id}` },
    element('summary', { 'data-key': id }, icon('right'), element('span', {}, title)),
    element(
      'div',
      { class: 'inside' },
      ...parts.map(({ text, record }, index) =>
        element(
          'div',
          { class: 'part' },
          text === null ? null : element('p', {}, text),
          ...drawCard(record, `${id} ${index}`, drawing),
        ),
      ),
      list.length === 0 ? null : element('ol', { class: 'ways' }, ...list),
      providers && drawProviders(providers, drawing),
    ),
  );
}

function drawProviders({ label, chosen, list }: ProviderChoice, { choose }: Drawing): HTMLElement {
  const options = list.map(({ id, name }) => {
    const option = element('option', { value: id }, name);
    option.selected = id === chosen;
    return option;
  });
  const select = element('select', { 'aria-label': label, 'data-key': 'provider' }, ...options);
  select.addEventListener('change', () => choose(select.value));
  return select;
}

const SHOWN_MS = 2000;

/** Draws a button that copies a text, and confirms the copy on the button and to screen readers. */
function copyButton(text: string, { label, name, said }: CopyWords, key: string, drawing: Drawing) {
  const { announce, words } = drawing;
  const shown = element('span', {}, label);
  const button = element(
    'button',
    { part: 'button copy', type: 'button', 'aria-label': name, 'data-key': key },
    icon('copy'),
    shown,
  );
  button.addEventListener('click', async () => {
    const copied = await copy(text, button);
    announce(copied ? said : words.copy_failed);
    shown.textContent = copied ? words.copied : words.select_it;
    setTimeout(() => {
      shown.textContent = label;
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
