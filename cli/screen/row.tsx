import { Box, Text, type TextProps } from 'ink';
import { memo } from 'react';
import type { Style } from '../output/output.ts';
import { ENAMEL } from './title-bar.tsx';

/** A column of a list. */
export interface Column {
  /** The width in terminal columns. With null, the column takes the remaining width. With 0, the column is left out. */
  width: number | null;
  isRight?: boolean;
}

export type Cell = readonly [text: string, style?: Style | null];

interface RowProps {
  columns: readonly Column[];
  cells: readonly Cell[];
  /** The content of the row in words, for a screen reader. */
  label: string;
  /** Marks before the cells, such as the mark for the state of a delivery. */
  marks?: readonly Cell[];
  isSelected: boolean;
  isLive: boolean;
}

/**
 * Draws a row of a list, in columns. In the selected row, text without a colour of its own is bold. React draws the row again only if a
 * property has changed.
 */
export const Row = memo(RowOfCells, (before, after) => JSON.stringify(before) === JSON.stringify(after));

function RowOfCells({ columns, cells, label, marks = [], isSelected, isLive }: RowProps) {
  const styleOf = (style: Style | null): TextProps =>
    isSelected && (style === null || style === 'dim') ? { bold: true } : styleProps(style);
  return (
    <Box height={1} flexShrink={0} columnGap={1} aria-label={label} aria-state={{ selected: isSelected }}>
      <Text>
        <Rail isSelected={isSelected} isLive={isLive} />
        {marks.map(([text, style = null], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mark is identified by its place
          <Text key={index} {...styleProps(style)}>
            {text}
          </Text>
        ))}
      </Text>
      <Cells columns={columns} cells={cells} styleOf={styleOf} />
    </Box>
  );
}

type RowHeadProps = Pick<RowProps, 'columns'> & { lead: string; names: readonly string[] };

/** Draws the names of the columns above a list. @param lead spaces, as wide as the first column and the marks of a row. */
export function RowHead({ lead, columns, names }: RowHeadProps) {
  return (
    <Box height={1} flexShrink={0} columnGap={1} aria-hidden>
      <Text>{lead}</Text>
      <Cells columns={columns} cells={names.map((name) => [name, 'dim'])} styleOf={styleProps} />
    </Box>
  );
}

interface CellsProps extends Pick<RowProps, 'columns' | 'cells'> {
  styleOf(style: Style | null): TextProps;
}

function Cells({ columns, cells, styleOf }: CellsProps) {
  return columns.map(({ width, isRight = false }, index) => {
    const [text, style = null] = cells[index] ?? [''];
    return width === 0 ? null : (
      <Box
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
        key={index}
        {...(width === null ? { flexGrow: 1, flexBasis: 0 } : { width, flexShrink: 0 })}
        {...(isRight && { justifyContent: 'flex-end' })}
      >
        <Text wrap="truncate-end" {...styleOf(style)}>
          {text}
        </Text>
      </Box>
    );
  });
}

/**
 * Draws the first column of a list. It marks the selected row and shows the mode in every row: blue for live mode, dashed for test mode.
 */
export function Rail({ isSelected, isLive }: { isSelected: boolean; isLive: boolean }) {
  if (isLive) return <Text {...ENAMEL}>{isSelected ? '▌' : ' '}</Text>;
  return isSelected ? <Text color="cyan">▌</Text> : <Text dimColor>┆</Text>;
}

/** Returns the Ink properties of text in a style. */
export function styleProps(style: Style | null): TextProps {
  if (style === null) return {};
  if (style === 'bold') return { bold: true };
  return style === 'dim' ? { dimColor: true } : { color: style };
}
