import { Text } from 'ink';
import { useMemo } from 'react';
import { counted } from '../../events/event-words.ts';
import { aheadWords } from '../../events/screen/title.tsx';
import { plainText, plainTime } from '../../output/plain-text.ts';
import { textWidth } from '../../output/table.ts';
import { Footer, type Prompt } from '../../screen/footer.tsx';
import { keyHelpLines } from '../../screen/key-bindings.ts';
import { LinesPane, type Part, ScreenList } from '../../screen/list-pane.tsx';
import { pageLines, paint } from '../../screen/page-lines.ts';
import { Row } from '../../screen/row.tsx';
import { Screen, type ScreenStore } from '../../screen/screen.tsx';
import { TitleBar } from '../../screen/title-bar.tsx';
import type { ActivityRow } from './activity-row.ts';
import { itemLines } from './item-page.ts';
import { pressScreenKey, SCREEN_KEYS, type ScreenCommand } from './screen-keys.ts';
import type { ScreenAction, ScreenState } from './screen-state.ts';

/** The properties of the emulator that stay the same while it runs. */
export interface ScreenFacts {
  url: string;
  edgeUrl: string;
  /** The names and values that the addresses panel lists. */
  addresses: readonly (readonly [name: string, value: string])[];
  /** Shell commands to try next. */
  next: readonly string[];
}

interface EmulatorViewProps {
  store: ScreenStore<ScreenState, ScreenAction>;
  facts: ScreenFacts;
  act(command: ScreenCommand): void;
  stopJob(): void;
}

/** The emulator's screen: a list of everything that happens in the emulator, or the detail page of one row. */
export function EmulatorView({ store, facts, act, stopJob }: EmulatorViewProps) {
  return (
    <Screen store={store} press={pressScreenKey} act={act} stopJob={stopJob}>
      {(state, { columns, rows }) => (
        <>
          <Title state={state} facts={facts} columns={columns} />
          <Body
            state={state}
            facts={facts}
            dispatch={store.dispatch}
            columns={columns}
            hasBorder={columns >= 60 && rows >= 12}
          />
          <Footer {...footerOf(state)} notice={state.notice} hasHints={rows >= 8} />
        </>
      )}
    </Screen>
  );
}

function Title({ state, facts, columns }: { state: ScreenState; facts: ScreenFacts; columns: number }) {
  const { mode, now, aheadMs } = state.clock;
  const ahead = aheadWords(aheadMs);
  const isReal = mode === 'real' && ahead === null;
  // A narrow screen leaves out the product's name and the clock's date, but never the address.
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
  columns: number;
  hasBorder: boolean;
}

function Body({ state, facts, dispatch, columns, hasBorder }: BodyProps) {
  const { panel, shown, cursor, scroll, only } = state;
  const page = usePage(state, facts, columns - (hasBorder ? 4 : 1));
  if (page !== null)
    return <LinesPane {...page} position={scroll} dispatch={dispatch} hasBorder={hasBorder} />;
  return (
    <ScreenList
      title={titleParts(state)}
      note={cursor.following || shown.length === 0 ? null : `row ${cursor.selected + 1}, G follows`}
      hasBorder={hasBorder}
      isFocused={panel.open === 'activity'}
      items={shown}
      position={cursor}
      sized="resized"
      dispatch={dispatch}
      empty={`No rows of kind ${only} yet. f shows the next kind.`}
    >
      {(row, index) => (
        <ItemRow key={index} row={row} before={shown[index - 1]} isSelected={index === cursor.selected} />
      )}
    </ScreenList>
  );
}

interface ItemRowProps {
  row: ActivityRow;
  before: ActivityRow | undefined;
  isSelected: boolean;
}

/** A line of the list. The first line of each day shows the date. */
function ItemRow({ row, before, isSelected }: ItemRowProps) {
  const { kind, time, day, outcome, mark, style, text } = row;
  const isNewDay = before !== undefined && before.day !== day;
  const columns = [
    { width: 8 },
    { width: kind === null ? 0 : 7 },
    { width: kind === null ? 0 : 3 },
    { width: null },
    { width: isNewDay ? day.length : 0 },
  ];
  return (
    <Row
      label={[time, kind ?? '', outcome, text].filter(Boolean).join(', ')}
      isSelected={isSelected}
      isLive={false}
      marks={[
        [' ', null],
        [mark, style],
      ]}
      columns={columns}
      cells={[
        [time, 'dim'],
        [kind ?? '', outcome === '' ? style : null],
        [outcome, style],
        kind === null ? [`── ${text} ──`, style] : [text],
        [day, 'yellow'],
      ]}
    />
  );
}

function titleParts({ counts, only }: ScreenState): Part[] {
  return [
    { text: counted(counts.domains, 'domain'), style: 'bold' },
    { text: counted(counts.events, 'event'), style: 'bold' },
    ...(only === null ? [] : [{ text: `only ${only}`, style: 'yellow' } as const]),
  ];
}

/** Returns the page that covers the list; null if the list is visible. */
function usePage({ panel, shown, only, clock }: ScreenState, facts: ScreenFacts, columns: number) {
  const now = panel.open === 'item' ? clock.now : '';
  const isEmpty = shown.length === 0 && only === null;
  return useMemo(() => {
    if (panel.open === 'keys') return { title: 'Keys', lines: keyHelpLines(SCREEN_KEYS, columns) };
    if (panel.open === 'item' && panel.row.item !== null) {
      const lines = itemLines(panel.row.item, { columns, now, event: panel.event });
      return { title: panel.row.text, lines };
    }
    if (panel.open === 'addresses' || isEmpty) {
      return { title: 'Addresses', lines: addressLines(facts, columns) };
    }
    return null;
  }, [panel, isEmpty, facts, columns, now]);
}

function addressLines({ addresses, next }: ScreenFacts, columns: number): string[] {
  return pageLines(columns, ({ fields }) => [
    ...fields(addresses.map(([name, value]) => [name, plainText(value)])),
    '',
    paint('dim', 'In another terminal:'),
    // Leave out a command that is wider than the screen, because a command that is broken into lines cannot be copied.
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

/** Returns the prompt that waits for input (null if there is none), and the key hints to show. */
function footerOf({ panel }: ScreenState): { prompt: Prompt | null; hints: readonly string[] } {
  if (panel.open === 'advance') {
    const prompt = { label: 'Advance by or to: ', input: panel.input };
    return { prompt, hints: ['72h, 90d or a time', '↵ advance', 'Esc cancel'] };
  }
  if (panel.open === 'reset') {
    const prompt = { label: 'Delete all domains, events and mails?' };
    return { prompt, hints: ['Enter confirm', 'Esc cancel'] };
  }
  return { prompt: null, hints: HINTS };
}
