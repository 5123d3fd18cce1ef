import {
  BOX,
  drawEdge,
  edgesAround,
  type Layout,
  NARROW,
  stateTable,
  WIDE,
} from '../../core/domains/state-edges.ts';
import { STATUSES } from '../../core/domains/status.ts';
import { html, type Markup } from '../../core/text/markup.ts';

/** Draws the state machine from its table, for a wide and a narrow screen, and lists its transitions in words. */
export function stateFigure(): Markup {
  const rows = stateTable().map(
    ({ from, to, label }) => html`<tr><td>${named(from)}</td><td>${named(to)}</td><td>${label}</td></tr>
`,
  );
  return html`<figure class="machine">
${drawing(WIDE, 'wide')}
${drawing(NARROW, 'narrow')}
<div class="scroll" role="region" aria-label="Transitions" tabindex="0"><table>
<thead><tr><th scope="col">From</th><th scope="col">To</th><th scope="col">Trigger [condition] / event</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
</figure>
`;
}

function drawing(layout: Layout, name: 'wide' | 'narrow'): Markup {
  const { width, height, caption, at } = layout;
  // No status is selected, because the arrows from a selected status to held and deleted would hide the other arrows.
  const edges = edgesAround('active', null, null).map((edge) => {
    const { line, head } = drawEdge(edge, layout);
    return html`<path d="${line}"/><polygon points="${head}"/>
`;
  });
  const boxes = STATUSES.map((status) => {
    const { x, y } = at[status];
    return html`<rect x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${x}" y="${y + 5}">${status}</text>
`;
  });
  return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" role="img" aria-label="The states of a domain, with arrows for the transitions between them. The table below has them in words.">
<text class="caption ${name}" x="${caption.x}" y="${caption.y}">from any state</text>
${edges}${boxes}</svg>`;
}

/** Formats one end of an edge: a status as code, and a phrase for several statuses as text. */
function named(end: string): Markup {
  if (end === '') return html`(new)`;
  return STATUSES.some((status) => status === end) ? html`<code>${end}</code>` : html`${end}`;
}
