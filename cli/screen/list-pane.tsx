import { Box, type DOMElement, Text, useBoxMetrics } from 'ink';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { Style } from '../output/output.ts';
import type { ListCursor, ScrollPosition } from './list-cursor.ts';
import { styleProps } from './row.tsx';

/** A part of a title. No two parts of a title have the same text. */
export interface Part {
  text: string;
  style?: Style;
}

interface PaneProps {
  /** The parts of the title, which are drawn in the upper border with spaces between them. */
  title: readonly Part[];
  /** True to draw a border. Without a border, the title is a line of its own. */
  hasBorder: boolean;
  isFocused?: boolean;
  /** The width in columns. If undefined, the pane takes the remaining width. */
  width?: number;
}

interface ListPaneProps<Item> extends PaneProps {
  /** A note at the right end of the upper border. */
  note: string | null;
  /** The line above the rows, such as the names of the columns. */
  head?: ReactNode;
  items: readonly Item[];
  position: Pick<ListCursor, 'top' | 'height'> & { total?: number };
  /**
   * The kind of action by which the pane reports how many rows fit and how many exist. The pane dispatches the action if these numbers
   * differ from `position`.
   */
  sized: 'resized' | 'measured';
  dispatch(action: { kind: 'resized' | 'measured'; height: number; total: number }): void;
  /** The text to show if there are no rows. */
  empty?: string;
  children(item: Item, index: number): ReactNode;
}

/** A part of the screen with a title and rows. Draws only the rows that are on the screen. */
export function ScreenList<Item>(props: ListPaneProps<Item>) {
  const { title, note, hasBorder, isFocused = true, width } = props;
  const { head, items, position, sized, dispatch, empty } = props;
  const { top, height } = position;
  const { length } = items;
  const { total = length } = position;
  const box = useRef<DOMElement>(null);
  const { height: room, hasMeasured } = useBoxMetrics(box as RefObject<DOMElement>);
  useEffect(() => {
    if (hasMeasured && (room !== height || length !== total)) {
      dispatch({ kind: sized, height: room, total: length });
    }
  }, [hasMeasured, room, height, length, total, sized, dispatch]);
  const space = hasBorder ? ' ' : '';
  return (
    <Box
      flexDirection="column"
      paddingTop={hasBorder ? 0 : 1}
      {...(width === undefined ? { flexGrow: 1, flexBasis: 0 } : { width, flexShrink: 0 })}
      {...(hasBorder && { borderStyle: 'round', borderDimColor: !isFocused })}
    >
      <Box
        position="absolute"
        top={hasBorder ? -1 : 0}
        left={0}
        right={0}
        height={1}
        justifyContent="space-between"
        columnGap={1}
      >
        <Text wrap="truncate-end">
          {space}
          {title.map(({ text, style = null }, index) => (
            <Text key={text}>
              {index > 0 && '   '}
              <Text {...styleProps(style)}>{text}</Text>
            </Text>
          ))}
          {space}
        </Text>
        {note && (
          <Box flexShrink={0}>
            <Text dimColor>{`${space}${note}${space}`}</Text>
          </Box>
        )}
      </Box>
      {head}
      <Box ref={box} flexDirection="column" flexGrow={1} flexBasis={0} minHeight={0} overflowY="hidden">
        {length === 0 && empty !== undefined && (
          <Box paddingX={2}>
            <Text dimColor>{empty}</Text>
          </Box>
        )}
        {items.slice(top, top + height).map((item, index) => props.children(item, top + index))}
      </Box>
    </Box>
  );
}

interface LinesPaneProps extends Omit<PaneProps, 'title'> {
  title: string;
  lines: readonly string[];
  position: ScrollPosition;
  /** True if the pane shows how many lines follow after the visible ones. */
  hasMore?: boolean;
  dispatch: ListPaneProps<string>['dispatch'];
}

/** A part of the screen that shows lines and can be scrolled. */
export function LinesPane({ title, lines, position, hasMore = true, ...pane }: LinesPaneProps) {
  const top = Math.max(0, Math.min(position.top, lines.length - position.height));
  const more = hasMore ? lines.length - position.top - position.height : 0;
  return (
    <ScreenList
      {...pane}
      title={[{ text: title, style: 'bold' }]}
      note={more > 0 ? `${more} more ${more === 1 ? 'line' : 'lines'}` : null}
      items={lines}
      position={{ ...position, top }}
      sized="measured"
    >
      {(line, index) => (
        <Text key={index} wrap="truncate-end">
          {line || ' '}
        </Text>
      )}
    </ScreenList>
  );
}
