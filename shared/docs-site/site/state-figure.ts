import { stateTable } from '../../core/domains/state-edges.ts';
import type { Status } from '../../core/domains/status.ts';
import { type IconName, iconSvg } from '../../core/look/icons.ts';
import { STATUS_LOOKS } from '../../core/look/status-look.ts';
import { html, Markup } from '../../core/text/markup.ts';
import { readPicture } from './guide-text.ts';

/** Shows the state machine: a drawing if there is room for it, and the ways out of each state as a list, from the table of transitions. */
export function stateFigure(): Markup {
  const ways = Map.groupBy(stateTable(), ({ from }) => from);
  const lists = [...ways].map(
    ([
      from,
      edges,
    ]) => html`<li><div class="from">${named(from)}${from in STATUS_LOOKS ? html`<code>${from}</code>` : ''}</div>
<ul>${edges.map(wayOut)}</ul></li>
`,
  );
  return html`<figure class="machine">
${new Markup(readPicture('states.svg').toString('utf8'))}
<ul class="ways-out">${lists}</ul>
</figure>
`;
}

function wayOut({ to, label }: { to: string; label: string }): Markup {
  const [trigger = '', event] = label.split(' / ');
  const sent = event === undefined ? '' : html` <span class="muted">sends</span> <code>${event}</code>`;
  return html`<li>${icon('go')}<div>${named(to)}<p><code>${trigger}</code>${sent}</p></div></li>
`;
}

/** Returns how a person reads one end of an edge: a status, or a phrase for several statuses. */
function named(end: string): Markup {
  const look = STATUS_LOOKS[end as Status];
  if (look === undefined) return html`<span class="muted">${end === '' ? 'a new domain' : end}</span>`;
  return html`<span class="st ${look.tone}">${icon(look.icon)}${look.words}</span>`;
}

const icon = (name: IconName) => new Markup(iconSvg(name));
