import type {
  ChecksBlock,
  ConnectContent,
  ContentBlock,
  FindingContent,
  FindingsBlock,
  ScriptWords,
} from '../../connect/content/connect-content.ts';
import { drawCard, drawFields, drawFolds, drawRecords } from './draw-records.ts';
import { drawChecks, drawHead, drawLinks, drawStatus } from './draw-status.ts';
import { element, icon } from './element.ts';

/** The actions of the component's buttons. */
export interface Actions {
  announce(text: string): void;
  /** Requests a DNS check. @returns the text to show to the visitor. */
  check(): Promise<string>;
  /** Shows the steps of another DNS provider. */
  choose(provider: string): void;
}

/** The actions and texts that every block needs. */
export interface Drawing extends Actions {
  words: ScriptWords;
}

/**
 * Draws the blocks that have changed, and announces a new headline or result. Keeps the focus, and keeps opened sections open. If the
 * focused element is gone, moves the focus to the headline.
 */
export function drawContent(
  root: HTMLElement,
  before: ConnectContent | null,
  { blocks, words }: ConnectContent,
  actions: Actions,
): void {
  const drawing = { ...actions, words };
  const shown = new Map([...root.children].map((child) => [child.id, child as HTMLElement]));
  const parts = blocks.map((block) => {
    const old = shown.get(block.kind);
    const isSame = JSON.stringify(blockOf(before, block.kind)) === JSON.stringify(block);
    if (old !== undefined && isSame) return old;
    const drawn = draw(block, drawing);
    drawn.id = block.kind;
    if (old !== undefined) {
      keepOpen(old, drawn);
      if (block.kind === 'checks') keepNotice(old, drawn, before, block);
    }
    return drawn;
  });
  const focused = (root.getRootNode() as ShadowRoot).activeElement;
  root.replaceChildren(...parts);
  if (focused !== null && !root.contains(focused)) restoreFocus(root, focused);
  else if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  const news = newsOf(before, blocks);
  if (news !== '') actions.announce(news);
}

const DRAWERS: { [Kind in ContentBlock['kind']]: (block: never, drawing: Drawing) => HTMLElement } = {
  head: drawHead,
  status: drawStatus,
  records: drawRecords,
  findings: drawFindings,
  checks: drawChecks,
  folds: drawFolds,
  links: drawLinks,
};

function draw(block: ContentBlock, drawing: Drawing): HTMLElement {
  return DRAWERS[block.kind](block as never, drawing);
}

function blockOf(content: ConnectContent | null, kind: string): ContentBlock | undefined {
  return content?.blocks.find((block) => block.kind === kind);
}

function keepOpen(before: HTMLElement, after: HTMLElement): void {
  for (const { id } of before.querySelectorAll('details[open]'))
    after.querySelector(`#${id}`)?.setAttribute('open', '');
}

/** Keeps the notice of "Check now" until the result of the check arrives. */
function keepNotice(
  old: HTMLElement,
  drawn: HTMLElement,
  before: ConnectContent | null,
  block: ChecksBlock,
): void {
  const known = before?.blocks.find(({ kind }) => kind === 'checks') as ChecksBlock | undefined;
  const [from, to] = [old, drawn].map((each) => each.querySelector('.notice'));
  if (from && to && known?.times[0]?.at === block.times[0]?.at) to.textContent = from.textContent;
}

/** Moves the focus to the new element with the same `data-key`, which identifies an element by its purpose. */
function restoreFocus(root: HTMLElement, focused: Element): void {
  const key = focused.getAttribute('data-key');
  const again = [...root.querySelectorAll<HTMLElement>('[data-key]')].find(
    (each) => each.dataset['key'] === key,
  );
  (again ?? root.querySelector<HTMLElement>('.headline'))?.focus({ preventScroll: true });
}

/** Returns what to announce: the headline and the result of a check, if they are new. Returns nothing for the first content. */
function newsOf(before: ConnectContent | null, blocks: readonly ContentBlock[]): string {
  if (before === null) return '';
  const told = new Set(outcomes(before.blocks));
  return outcomes(blocks)
    .filter((text) => !told.has(text))
    .join('. ');
}

function outcomes(blocks: readonly ContentBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'status') return [block.headline];
    return block.kind === 'checks' && block.result !== null ? [block.result] : [];
  });
}

function drawFindings({ title, list }: FindingsBlock, drawing: Drawing): HTMLElement {
  return element(
    'section',
    { part: 'findings', class: 'card', 'aria-labelledby': 'findings-title' },
    element('h2', { id: 'findings-title' }, title),
    ...list.map((finding, index) => drawFinding(finding, `finding ${index}`, drawing)),
  );
}

function drawFinding(finding: FindingContent, key: string, drawing: Drawing): HTMLElement {
  const { tone, title, meaning, changes, compared, hint } = finding;
  const isFault = tone !== 'quiet';
  return element(
    'article',
    { part: 'finding', class: `finding ${isFault ? tone : ''}` },
    element('h3', {}, icon(isFault ? 'warn' : 'info'), title),
    element('p', {}, meaning),
    ...changes.flatMap((change, index) => drawCard(change, `${key} ${index}`, drawing)),
    compared.length > 0 ? drawFields(compared, 'record wide', key, drawing) : null,
    element('p', {}, element('b', {}, hint.label), ` ${hint.text}`),
  );
}
