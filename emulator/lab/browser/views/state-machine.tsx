import { type ReactElement, useEffect, useState } from 'react';
import {
  BOX,
  drawEdge,
  edgesAround,
  type Layout,
  NARROW,
  WIDE,
} from '../../../../shared/core/domains/state-edges.ts';
import { STATUSES, type Status } from '../../../../shared/core/domains/status.ts';
import { STATUS_LOOKS } from '../../../../shared/core/look/status-look.ts';

/**
 * Draws the state machine from its table. Highlights the domain's current state and the transitions that are possible from there.
 * @param input.aim the state to which the focused trigger leads; null if no trigger has the focus.
 */
export function StateMachine(input: {
  current: Status;
  beforeHold: Status | null;
  reachable: readonly Status[];
  aim: Status | null;
}): ReactElement {
  const layout = useLayout();
  const { current, beforeHold, reachable, aim } = input;
  const edges = edgesAround(current, beforeHold, aim).map((edge) => ({
    ...edge,
    ...drawEdge(edge, layout),
    isOpen: edge.from === current && reachable.includes(edge.to),
  }));
  // Draw highlighted edges last, on top of the other edges.
  edges.sort((a, b) => Number(a.isOpen) - Number(b.isOpen));
  return (
    <svg
      className="machine"
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      role="img"
      aria-label={`The states of a domain. This one is ${current}; from there it can become ${reachable.join(', ') || 'nothing else'}.`}
    >
      <text
        className="caption"
        x={layout.caption.x}
        y={layout.caption.y}
        textAnchor={layout === WIDE ? 'end' : 'middle'}
      >
        from any state
      </text>
      {edges.map(({ from, to, line, head, isOpen }) => (
        <g
          key={`${from} ${to}`}
          className={edgeClass(isOpen, isOpen && to === aim)}
          data-edge={`${from} ${to}`}
        >
          <path d={line} />
          <polygon points={head} />
        </g>
      ))}
      {STATUSES.map((status) => (
        <StateBox
          key={status}
          status={status}
          layout={layout}
          isCurrent={status === current}
          isAim={status === aim}
          isOpen={reachable.includes(status)}
        />
      ))}
    </svg>
  );
}

function StateBox(input: {
  status: Status;
  layout: Layout;
  isCurrent: boolean;
  isAim: boolean;
  isOpen: boolean;
}): ReactElement {
  const { status, layout, isCurrent, isAim, isOpen } = input;
  const { x, y } = layout.at[status];
  const names = [
    'state',
    STATUS_LOOKS[status].tone,
    isCurrent && 'current',
    isAim && 'aim',
    isOpen && 'open',
  ];
  return (
    <g className={names.filter(Boolean).join(' ')} data-state={status} data-current={isCurrent || undefined}>
      <rect x={x - BOX.width / 2} y={y - BOX.height / 2} width={BOX.width} height={BOX.height} rx={10} />
      <text x={x} y={y + 5} textAnchor="middle">
        {status}
      </text>
    </g>
  );
}

function edgeClass(isOpen: boolean, isAim: boolean): string {
  if (isAim) return 'edge open aim';
  return isOpen ? 'edge open' : 'edge';
}

const NARROW_SCREEN = '(max-width: 40rem)';

function useLayout(): Layout {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW_SCREEN).matches);
  useEffect(() => {
    const query = matchMedia(NARROW_SCREEN);
    const read = () => setNarrow(query.matches);
    read();
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  return isNarrow ? NARROW : WIDE;
}
