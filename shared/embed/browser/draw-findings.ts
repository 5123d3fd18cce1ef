import type { FindingContent, FindingsBlock } from '../../connect/content/connect-content.ts';
import type { Drawing } from './draw-content.ts';
import { drawCard, drawFields } from './draw-records.ts';
import { element } from './element.ts';

export function drawFindings({ title, list }: FindingsBlock, drawing: Drawing): HTMLElement {
  return element(
    'section',
    { part: 'findings', class: 'card', 'aria-labelledby': 'findings-title' },
    element('h3', { id: 'findings-title' }, title),
    ...list.map((finding, index) => drawFinding(finding, `finding ${index}`, drawing)),
  );
}

function drawFinding(finding: FindingContent, key: string, drawing: Drawing): HTMLElement {
  const { tone, title, meaning, changes, compared, hint } = finding;
  const said = element('p', {}, meaning);
  return element(
    'article',
    { part: 'finding', class: `inset ${tone}` },
    element('h4', {}, title),
    changes.length > 0 ? null : said,
    ...changes.map((change, index) => drawCard(change, `${key} ${index}`, drawing)),
    compared.length > 0 ? drawFields(compared, key, drawing) : null,
    changes.length > 0 ? said : null,
    element('p', {}, element('b', {}, hint.label), ' ', hint.text),
  );
}
