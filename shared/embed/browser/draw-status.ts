import type {
  ChecksBlock,
  HeadBlock,
  LinksBlock,
  StatusBlock,
  Step,
} from '../../connect/content/connect-content.ts';
import type { Drawing } from './draw-content.ts';
import { element, icon, outerLink } from './element.ts';
import { timeSentence } from './times.ts';

export function drawHead({ hostname, plate, test, notes }: HeadBlock): HTMLElement {
  return element(
    'header',
    { part: 'head', class: 'stack' },
    test &&
      element(
        'p',
        { class: 'paper-note' },
        icon('flask'),
        element('span', {}, element('b', {}, test.title), ` ${test.text}`),
      ),
    element(
      'h2',
      { part: `hostname plate-${plate}`, class: `plate door ${plate}` },
      element('span', {}, element('bdi', {}, hostname)),
    ),
    ...notes.map(({ text, isWarning }) =>
      isWarning
        ? element('p', { class: 'heed' }, icon('warn'), element('span', {}, text))
        : element('p', { class: 'small muted' }, text),
    ),
  );
}

export function drawStatus({ tone, icon: name, headline, text, steps, link }: StatusBlock): HTMLElement {
  const walk = steps && { part: 'steps', class: 'walk', 'aria-label': steps.label };
  return element(
    'section',
    { part: `status status-${tone}`, class: `card ${tone}`, 'aria-labelledby': 'headline' },
    element(
      'div',
      { class: text === null ? 'state brief' : 'state' },
      icon(name),
      element('h2', { part: 'headline', class: 'headline', id: 'headline', tabindex: '-1' }, headline),
      text === null ? null : element('p', {}, text),
    ),
    steps && walk && element('ol', walk, ...steps.list.map(drawStep)),
    link && element('p', { class: 'open' }, outerLink(link.text, link.href, 'primary')),
  );
}

function drawStep({ state, title, spoken, text }: Step): HTMLElement {
  return element(
    'li',
    { part: `step step-${state}`, class: state, 'aria-current': state === 'now' ? 'step' : null },
    title,
    element('span', { class: 'hidden' }, ` ${spoken}`),
    text === null ? null : element('small', {}, text),
  );
}

/** The notice of a check stays until the block changes, because the result has then arrived. */
export function drawChecks(block: ChecksBlock, { check }: Drawing): HTMLElement {
  const { label, result, times, button } = block;
  const notice = element('p', { part: 'notice', class: 'notice quiet' });
  const ask = element(
    'button',
    { part: 'button check', type: 'button', 'data-key': 'check' },
    icon('retry'),
    button,
  );
  ask.addEventListener('click', async () => {
    // Does not disable the button, because a disabled button would lose the focus.
    if (ask.getAttribute('aria-disabled') === 'true') return;
    ask.setAttribute('aria-disabled', 'true');
    notice.textContent = await check();
    ask.removeAttribute('aria-disabled');
  });
  return element(
    'section',
    { part: 'checks', class: 'stack', 'aria-label': label },
    element(
      'div',
      { class: 'between' },
      element(
        'div',
        {},
        result === null ? null : element('p', {}, element('b', {}, result)),
        ...times.map(timeSentence),
      ),
      button === null ? null : ask,
    ),
    notice,
  );
}

export function drawLinks({ notes, links }: LinksBlock): HTMLElement {
  return element(
    'footer',
    { part: 'links', class: 'stack' },
    ...notes.map(timeSentence),
    ...links.map(({ text, href }) => element('p', { class: 'small' }, outerLink(text, href, 'link'))),
  );
}
