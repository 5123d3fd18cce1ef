import type {
  ChecksBlock,
  HeadBlock,
  LinksBlock,
  StatusBlock,
  Step,
} from '../../connect/content/connect-content.ts';
import type { Drawing } from './draw-content.ts';
import { element, outerLink } from './element.ts';
import { timeSentence } from './times.ts';

export function drawHead({ hostname, notes }: HeadBlock): HTMLElement {
  return element(
    'header',
    { part: 'head' },
    element('h2', { part: 'hostname' }, element('bdi', {}, hostname)),
    ...notes.map((note) => element('p', { class: 'small' }, note)),
  );
}

const SIGNS: Record<StatusBlock['tone'], string> = {
  waiting: '…',
  fix: '!',
  working: '…',
  good: '✓',
  bad: '!',
  quiet: '–',
};

export function drawStatus({ tone, headline, text, steps, link }: StatusBlock): HTMLElement {
  return element(
    'section',
    { part: `status status-${tone}`, class: `card ${tone}`, 'aria-labelledby': 'headline' },
    element(
      'h3',
      { part: 'headline', class: 'headline', id: 'headline', tabindex: '-1' },
      element('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[tone]),
      headline,
    ),
    text === null ? null : element('p', {}, text),
    steps === null
      ? null
      : element(
          'ol',
          { part: 'steps', class: 'steps', 'aria-label': steps.label },
          ...steps.list.map(drawStep),
        ),
    link === null ? null : outerLink(link.text, link.href, 'primary'),
  );
}

function drawStep({ state, title, spoken, text }: Step): HTMLElement {
  return element(
    'li',
    { part: `step step-${state}`, class: state, 'aria-current': state === 'now' ? 'step' : null },
    element('b', {}, title, element('span', { class: 'hidden' }, ` ${spoken}`)),
    element('span', { class: 'small' }, text),
  );
}

/** The notice of a check stays until the block changes, because the result has then arrived. */
export function drawChecks(block: ChecksBlock, { check }: Drawing): HTMLElement {
  const { label, text, result, times, button } = block;
  const notice = element('p', { part: 'notice', class: 'small notice' });
  const ask = element('button', { part: 'button check', type: 'button', 'data-key': 'check' }, button);
  ask.addEventListener('click', async () => {
    // Does not disable the button, because a disabled button would lose the focus.
    if (ask.getAttribute('aria-disabled') === 'true') return;
    ask.setAttribute('aria-disabled', 'true');
    notice.textContent = await check();
    ask.removeAttribute('aria-disabled');
  });
  return element(
    'section',
    { part: 'checks', class: 'card', 'aria-label': label },
    text === null ? null : element('p', {}, text),
    result === null ? null : element('p', {}, element('b', {}, result)),
    ...times.map(timeSentence),
    button === null ? null : ask,
    notice,
  );
}

export function drawLinks({ notes, links }: LinksBlock): HTMLElement {
  return element(
    'footer',
    { part: 'links' },
    ...notes.map(timeSentence),
    ...links.map(({ text, href }) => element('p', { class: 'small' }, outerLink(text, href, 'link'))),
  );
}
