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

/** The event view: the list of events or domains, the page of one item, and the current prompt. */
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

/** Draws the list, the open page instead of it, or both side by side. */
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

/**
 * The event of a row is loaded after the row was selected for this long, so that moving through the list does not send a request for each
 * row.
 */
const RESTS_MS = 250;

/** On a wide screen, loads the selected event for the page beside the list. */
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

/** The size of the screen, and which parts fit on it. */
export interface ScreenSize {
  columns: number;
  rows: number;
  /** True if the page of the selected row fits beside the list. */
  isWide: boolean;
  hasBorder: boolean;
  hasHints: boolean;
  /** The layout of the event list. The type lists the layouts from the widest to the narrowest. */
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
