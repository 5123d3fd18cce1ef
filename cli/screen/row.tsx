import { Box, Text } from 'ink';
import type { ReactNode } from 'react';
import type { Style } from '../output/output.ts';
import { styleProps } from './parts.tsx';

/** A cell of a row. */
export interface Cell {
  text: string;
  /** The width in columns; null takes the width that is left; 0 leaves the cell out. */
  width: number | null;
  style?: Style | null;
  isRight?: boolean;
}

interface RowProps {
  /** The marks before the cells. */
  lead: ReactNode;
  cells: readonly Cell[];
  /** The row in words, for a screen reader; empty to read nothing. */
  label: string;
  isSelected?: boolean;
}

/** A row of a list, in columns. In the selected row, text without a colour of its own is bold. */
export function Row({ lead, cells, label, isSelected = false }: RowProps) {
  return (
    <Box
      height={1}
      flexShrink={0}
      columnGap={1}
      aria-label={label}
      aria-hidden={label === ''}
      aria-state={{ selected: isSelected }}
    >
      <Text>{lead}</Text>
      {cells.map(({ text, width, style = null, isRight = false }, index) =>
        width === 0 ? null : (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its column
            key={index}
            {...(width === null ? { flexGrow: 1, flexBasis: 0 } : { width, flexShrink: 0 })}
            {...(isRight && { justifyContent: 'flex-end' })}
          >
            <Text
              wrap="truncate-end"
              {...(isSelected && (style === null || style === 'dim') ? { bold: true } : styleProps(style))}
            >
              {text}
            </Text>
          </Box>
        ),
      )}
    </Box>
  );
}

/** The names of the columns above a list. */
export function RowHead({ lead, cells }: Pick<RowProps, 'lead' | 'cells'>) {
  return <Row lead={lead} cells={cells.map((cell) => ({ ...cell, style: 'dim' }))} label="" />;
}
