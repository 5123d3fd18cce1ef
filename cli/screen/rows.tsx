import { Box, type DOMElement, Text, useBoxMetrics } from 'ink';
import { type ReactNode, useEffect, useRef } from 'react';

interface RowsProps {
  /** The number of rows. */
  count: number;
  /** The first row on the screen, from 0. */
  top: number;
  /** The number of rows to draw. */
  height: number;
  /** Called with the number of rows that fit, when it is another one than `height`. */
  onHeight(height: number): void;
  /** The words in place of the rows if there are none. */
  empty?: string;
  children(index: number): ReactNode;
}

/** Draws the rows that are on the screen, however many there are. */
export function Rows({ count, top, height, onHeight, empty, children }: RowsProps) {
  const box = useRef<DOMElement>(null);
  const { height: room, hasMeasured } = useBoxMetrics(box as React.RefObject<DOMElement>);
  useEffect(() => {
    if (hasMeasured && room !== height) onHeight(room);
  }, [hasMeasured, room, height, onHeight]);
  const end = Math.min(count, top + height);
  return (
    <Box ref={box} flexDirection="column" flexGrow={1} flexBasis={0} minHeight={0} overflowY="hidden">
      {count === 0 && empty !== undefined && (
        <Box paddingX={2}>
          <Text dimColor>{empty}</Text>
        </Box>
      )}
      {Array.from({ length: Math.max(0, end - top) }, (_, index) => children(top + index))}
    </Box>
  );
}
