import { Text } from 'ink';
import { useCallback, useEffect } from 'react';
import { Pane, type PaneProps } from './pane.tsx';
import { Rows } from './rows.tsx';

/** A position in lines that may not fit the screen. */
export interface ScrollPosition {
  /** The first line on the screen, from 0. */
  top: number;
  /** The number of lines that fit. */
  height: number;
  /** The number of all lines. */
  total: number;
}

export const SCROLL_START: ScrollPosition = { top: 0, height: 1, total: 0 };

/** Returns the position after a move by some lines. Stops at the first and the last line. */
export function scrolledBy(position: ScrollPosition, by: number): ScrollPosition {
  const { top, height, total } = position;
  return { ...position, top: Math.max(0, Math.min(top + by, total - height)) };
}

/** The lines that fit the screen, and all lines. */
export type Measured = Pick<ScrollPosition, 'height' | 'total'>;

interface LinesPaneProps extends Omit<PaneProps, 'children' | 'note'> {
  lines: readonly string[];
  position: ScrollPosition;
  /** Whether the pane says how many lines come after the visible ones. */
  hasMore?: boolean;
  dispatch(action: { kind: 'measured'; measured: Measured }): void;
}

/** Draws a pane with lines that scroll. */
export function LinesPane({ lines, position, hasMore = true, dispatch, ...pane }: LinesPaneProps) {
  const onMeasured = useCallback(
    (measured: Measured) => dispatch({ kind: 'measured', measured }),
    [dispatch],
  );
  const more = hasMore ? lines.length - position.top - position.height : 0;
  return (
    <Pane {...pane} note={more > 0 ? `${more} more ${more === 1 ? 'line' : 'lines'}` : null}>
      <Scroll lines={lines} position={position} onMeasured={onMeasured} />
    </Pane>
  );
}

interface ScrollProps {
  lines: readonly string[];
  position: ScrollPosition;
  onMeasured(measured: Measured): void;
}

/** Shows the lines from a position on. */
function Scroll({ lines, position: { top, height, total }, onMeasured }: ScrollProps) {
  const { length } = lines;
  useEffect(() => {
    if (length !== total) onMeasured({ height, total: length });
  }, [length, total, height, onMeasured]);
  return (
    <Rows
      count={length}
      top={Math.max(0, Math.min(top, length - height))}
      height={height}
      onHeight={(room) => onMeasured({ height: room, total: length })}
    >
      {(index) => (
        <Text key={index} wrap="truncate-end">
          {lines[index] || ' '}
        </Text>
      )}
    </Rows>
  );
}
