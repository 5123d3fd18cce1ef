import { Box, Text } from 'ink';
import type { ReactNode } from 'react';

export interface PaneProps {
  /** The name of the content. It stands in the upper border. */
  title: ReactNode;
  /** A note at the right end of the upper border. */
  note?: ReactNode;
  /** True to draw a border. Without a border, the title is a line of its own. */
  hasBorder: boolean;
  isFocused?: boolean;
  /** The width in columns. Without it, the pane takes the width that is left. */
  width?: number;
  children: ReactNode;
}

/** A part of the screen with a title. */
export function Pane({ title, note, hasBorder, isFocused = true, width, children }: PaneProps) {
  const heading = (
    <Box height={1} flexShrink={0} justifyContent="space-between" columnGap={1}>
      <Text wrap="truncate-end">
        {hasBorder ? ' ' : ''}
        {title}
        {hasBorder ? ' ' : ''}
      </Text>
      {note && (
        <Box flexShrink={0}>
          <Text dimColor>{hasBorder ? ` ${note} ` : note}</Text>
        </Box>
      )}
    </Box>
  );
  return (
    <Box
      flexDirection="column"
      {...(width === undefined ? { flexGrow: 1, flexBasis: 0 } : { width, flexShrink: 0 })}
      {...(hasBorder && { borderStyle: 'round', borderDimColor: !isFocused })}
    >
      {hasBorder ? (
        <Box position="absolute" top={-1} left={0} right={0} flexDirection="column">
          {heading}
        </Box>
      ) : (
        heading
      )}
      <Box flexDirection="column" flexGrow={1} flexBasis={0} overflowY="hidden">
        {children}
      </Box>
    </Box>
  );
}
