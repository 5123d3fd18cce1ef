import { Box } from 'ink';
import { useEffect } from 'react';
import { Screen } from '../../screen/screen.tsx';
import { selectedEvent } from '../view/event-rows.ts';
import type { ViewCommand } from '../view/keys/key-steps.ts';
import { pressKey } from '../view/keys/panel-keys.ts';
import { coversList, type ViewState, type ViewStore } from '../view/view-state.ts';
import { DomainPane } from './domain-list.tsx';
import { EventPane } from './event-list.tsx';
import { ViewFooter } from './footer.tsx';
import { ScreenPage } from './page.tsx';
import { Title } from './title.tsx';

interface EventViewProps {
  store: ViewStore;
  act(command: ViewCommand): void;
  stopJob(): void;
}

/** The event view: the events or the domains, the page of one of them, and what the user is asked. */
export function EventView({ store, act, stopJob }: EventViewProps) {
  return (
    <Screen store={store} press={pressKey} act={act} stopJob={stopJob}>
      {(state, { columns, rows }) => {
        const size = sizeOf(columns, rows);
        return (
          <>
            <Title state={state} size={size} />
            <Body state={state} size={size} dispatch={store.dispatch} act={act} />
            <ViewFooter state={state} size={size} />
          </>
        );
      }}
    </Screen>
  );
}

export interface BodyProps {
  state: ViewState;
  size: ScreenSize;
  dispatch: ViewStore['dispatch'];
}

/** The list, the page in its place, or both side by side. */
function Body({ state, size, dispatch, act }: BodyProps & Pick<EventViewProps, 'act'>) {
  const { panel, behind, screen } = state;
  useEventBeside(state, size, act);
  const page = coversList(panel) ? panel : behind && coversList(behind) ? behind : null;
  const isBeside = size.isWide && page?.open !== 'help' && page?.open !== 'text';
  const List = screen === 'events' ? EventPane : DomainPane;
  return (
    <Box flexGrow={1} flexBasis={0}>
      {(page === null || isBeside) && <List state={state} size={size} dispatch={dispatch} />}
      {(page !== null || isBeside) && (
        <ScreenPage state={state} size={size} dispatch={dispatch} page={page} isBeside={isBeside} />
      )}
    </Box>
  );
}

/** How long a row stays selected before its event is read, so that moving through the list sends no request for each row. */
const RESTS_MS = 250;

/** On a wide screen, reads the selected event for the page beside the list. */
function useEventBeside(
  { panel, screen, rows, detail }: ViewState,
  { isWide }: ScreenSize,
  act: EventViewProps['act'],
) {
  const isListed = isWide && screen === 'events' && panel.open === 'list';
  const event = isListed ? selectedEvent(rows) : null;
  const wanted = event !== null && event.id !== detail?.id ? event : null;
  useEffect(() => {
    if (wanted === null) return;
    const timer = setTimeout(() => act({ do: 'load', event: wanted }), RESTS_MS);
    return () => clearTimeout(timer);
  }, [wanted, act]);
}

/** What fits on the screen. */
export interface ScreenSize {
  columns: number;
  rows: number;
  /** True if the page of the selected row fits beside the list. */
  isWide: boolean;
  hasBorder: boolean;
  hasHints: boolean;
  /** Which columns the list of events has. */
  list: 'full' | 'words' | 'symbols' | 'short';
  /** The width of the page beside the list. */
  pageWidth: number;
}

const PAGE_SHARE = 0.4;

export function sizeOf(columns: number, rows: number): ScreenSize {
  const isWide = columns >= 120;
  return {
    columns,
    rows,
    isWide,
    hasBorder: columns >= 60 && rows >= 14,
    hasHints: rows >= 12,
    list: columns < 60 ? 'short' : columns < 100 ? 'symbols' : isWide && columns < 170 ? 'words' : 'full',
    pageWidth: isWide ? Math.floor(columns * PAGE_SHARE) : columns,
  };
}
