import { Text } from 'ink';
import { useEffect } from 'react';
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

interface ScrollProps {
  lines: readonly string[];
  position: ScrollPosition;
  onMeasured(measured: Pick<ScrollPosition, 'height' | 'total'>): void;
}

/** Shows the lines from a position on. */
export function Scroll({ lines, position: { top, height, total }, onMeasured }: ScrollProps) {
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
