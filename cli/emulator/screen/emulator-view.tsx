import { Text, useWindowSize } from 'ink';
import { memo, useCallback, useMemo, useSyncExternalStore } from 'react';
import { aheadWords } from '../../events/screen/title.tsx';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { textWidth } from '../../output/table.ts';
import { keyHelpLines } from '../../screen/key-help.ts';
import { KeyHints } from '../../screen/key-hints.tsx';
import { NoticeLine } from '../../screen/notice.tsx';
import { pageLines, paint } from '../../screen/page-lines.ts';
import { Pane } from '../../screen/pane.tsx';
import { type Part, Parts } from '../../screen/parts.tsx';
import { PromptLine } from '../../screen/prompt-line.tsx';
import { Rail } from '../../screen/rail.tsx';
import { Row } from '../../screen/row.tsx';
import { Rows } from '../../screen/rows.tsx';
import { Screen } from '../../screen/screen.tsx';
import { LinesPane } from '../../screen/scroll.tsx';
import type { Store } from '../../screen/store.ts';
import { TitleBar } from '../../screen/title-bar.tsx';
import type { KeyPress } from '../../screen/use-keys.ts';
import type { ActivityRow } from './activity-row.ts';
import { itemLines } from './item-page.ts';
import { SCREEN_KEYS } from './screen-keys.ts';
import type { ScreenAction, ScreenState } from './screen-state.ts';

/** Facts of the emulator that stay the same while it runs. */
export interface ScreenFacts {
  url: string;
  edgeUrl: string;
  /** Names and values for the panel with the addresses. */
  addresses: readonly (readonly [name: string, value: string])[];
  /** Shell commands to try next. */
  next: readonly string[];
}

interface EmulatorViewProps {
  store: Store<ScreenState, ScreenAction>;
  facts: ScreenFacts;
  onKey(key: KeyPress): void;
  stopJob(): void;
}

/** What happens in the emulator, as one list, and the page of one of its lines. */
export function EmulatorView({ store, facts, onKey, stopJob }: EmulatorViewProps) {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const hasBorder = columns >= 60 && rows >= 12;
  return (
    <Screen onKey={onKey} stopJob={stopJob}>
      <Title state={state} facts={facts} columns={columns} />
      <Body
        state={state}
        facts={facts}
        dispatch={store.dispatch}
        columns={hasBorder ? columns - 4 : columns - 1}
        hasBorder={hasBorder}
      />
      <Footer state={state} rows={rows} />
    </Screen>
  );
}

function Title({ state, facts, columns }: { state: ScreenState; facts: ScreenFacts; columns: number }) {
  const { mode, now, aheadMs } = state.clock;
  const ahead = aheadWords(aheadMs);
  const isReal = mode === 'real' && ahead === null;
  // The address matters more than the product's name. It also matters more than the date, unless the clock was moved.
  const time = columns < 80 || (columns < 100 && isReal) ? plainTime(now).slice(-9) : plainTime(now);
  const clock =
    columns < 100 && isReal ? [] : [`${columns < 80 ? '' : 'clock '}${plainText(mode)}`, ahead ?? '', '·'];
  return (
    <TitleBar
      isLive={false}
      hasName={columns >= (isReal ? 60 : 100)}
      right={
        <Text {...(isReal ? { dimColor: true } : { color: 'yellow' })}>
          {`${[...clock, time].filter(Boolean).join(' ')} `}
        </Text>
      }
    >
      <Text bold>{columns < 60 ? ' emulator' : '  emulator'}</Text>
      <Text color="cyan">{`  ${facts.url}`}</Text>
      {columns >= 120 && <Text dimColor>{`  edge ${facts.edgeUrl}`}</Text>}
    </TitleBar>
  );
}

interface BodyProps {
  state: ScreenState;
  facts: ScreenFacts;
  dispatch(action: ScreenAction): void;
  /** The width of the lines. */
  columns: number;
  hasBorder: boolean;
}

function Body({ state, facts, dispatch, columns, hasBorder }: BodyProps) {
  const { panel, shown, cursor, scroll, only } = state;
  const onHeight = useCallback((height: number) => dispatch({ kind: 'resized', height }), [dispatch]);
  const page = usePage(state, facts, columns);
  if (page !== null)
    return <LinesPane {...page} position={scroll} dispatch={dispatch} hasBorder={hasBorder} />;
  return (
    <Pane
      title={<Parts parts={titleParts(state)} />}
      note={cursor.following || shown.length === 0 ? null : `row ${cursor.selected + 1}, G follows`}
      hasBorder={hasBorder}
      isFocused={panel.open === 'activity'}
    >
      <Rows
        count={shown.length}
        top={cursor.top}
        height={cursor.height}
        onHeight={onHeight}
        empty={`No rows of kind ${only} yet. f shows the next kind.`}
      >
        {(index) => {
          const row = shown[index];
          if (row === undefined) return null;
          const before = shown[index - 1];
          return (
            <ItemRow
              key={index}
              row={row}
              isSelected={index === cursor.selected}
              isNewDay={before !== undefined && before.day !== row.day}
            />
          );
        }}
      </Rows>
    </Pane>
  );
}

/** A line of the list. The first line of a day names the day. */
const ItemRow = memo(function ItemRow(props: { row: ActivityRow; isSelected: boolean; isNewDay: boolean }) {
  const { row, isSelected, isNewDay } = props;
  const { kind, time, day, outcome, style } = row;
  const text = kind === null ? `── ${row.text} ──` : row.text;
  return (
    <Row
      label={[time, kind ?? '', outcome, row.text].filter(Boolean).join(', ')}
      isSelected={isSelected}
      lead={<Rail isSelected={isSelected} isLive={false} />}
      cells={[
        { text: time, width: 8, style: 'dim' },
        { text: kind ?? '', width: kind === null ? 0 : 7, style: outcome === '' ? style : null },
        { text: outcome, width: kind === null ? 0 : 4, style },
        { text, width: null, style: kind === null ? style : null },
        { text: day, width: isNewDay ? day.length : 0, style: 'yellow' },
      ]}
    />
  );
});

function titleParts({ counts, only }: ScreenState): Part[] {
  const { domains, events } = counts;
  return [
    { text: `${domains} ${domains === 1 ? 'domain' : 'domains'}`, style: 'bold' },
    { text: `${events} ${events === 1 ? 'event' : 'events'}`, style: 'bold' },
    ...(only === null ? [] : [{ text: `only ${only}`, style: 'yellow' } as const]),
  ];
}

/** Returns the page that covers the list; null if none does. */
function usePage({ panel, shown, only, clock }: ScreenState, facts: ScreenFacts, columns: number) {
  const now = panel.open === 'item' ? clock.now : '';
  const isEmpty = shown.length === 0 && only === null;
  return useMemo(() => {
    if (panel.open === 'keys')
      return { title: paint('bold', 'Keys'), lines: keyHelpLines(SCREEN_KEYS, columns) };
    if (panel.open === 'item' && panel.row.item !== null) {
      const lines = itemLines(panel.row.item, { columns, now, event: panel.event });
      return { title: paint('bold', panel.row.text), lines };
    }
    if (panel.open === 'addresses' || isEmpty) {
      return { title: paint('bold', 'Addresses'), lines: addressLines(facts, columns) };
    }
    return null;
  }, [panel, isEmpty, facts, columns, now]);
}

function addressLines({ addresses, next }: ScreenFacts, columns: number): string[] {
  return pageLines(columns, ({ fields }) => [
    ...fields(addresses.map(([name, value]) => [name, plainText(value)])),
    '',
    paint('dim', 'In another terminal:'),
    // A command that does not fit is left out, because nobody can copy it when it is broken.
    ...next.map((line) => `  ${line}`).filter((line) => textWidth(line) <= columns),
  ]);
}

const HINTS = [
  'q quit',
  '? keys',
  '↵ open',
  'o dashboard',
  '. next due',
  'a advance',
  'r reset',
  'i addresses',
  'f filter',
] as const;

function Footer({ state: { panel, notice }, rows }: { state: ScreenState; rows: number }) {
  const hints =
    panel.open === 'advance'
      ? ['72h, 90d or a time', '↵ advance', 'Esc cancel']
      : panel.open === 'reset'
        ? ['Enter confirm', 'Esc cancel']
        : HINTS;
  return (
    <>
      {panel.open === 'advance' ? (
        <PromptLine label="Advance by or to: " input={panel.input} />
      ) : panel.open === 'reset' ? (
        <PromptLine label="Delete all domains, events and mails?" input={null} />
      ) : (
        <NoticeLine notice={notice} linesMax={Math.floor(rows / 5)} />
      )}
      {rows >= 8 && <KeyHints hints={hints} />}
    </>
  );
}
