import { Box, Text } from 'ink';
import type { ReactNode } from 'react';

/** The colours of the product's name and of live mode. */
export const ENAMEL = { color: 'whiteBright', backgroundColor: 'blue', bold: true } as const;

interface TitleBarProps {
  isLive: boolean;
  /** True if there is space for the product's name. */
  hasName: boolean;
  /** The part at the right, which is never cut. */
  right: ReactNode;
  children: ReactNode;
}

/** Draws the first line of a screen: its title and its state. In live mode, the whole line is white on blue. */
export function TitleBar({ isLive, hasName, right, children }: TitleBarProps) {
  const style = isLive ? ENAMEL : {};
  return (
    <Box height={1} flexShrink={0} columnGap={1} {...(isLive && { backgroundColor: 'blue' })}>
      <Box flexGrow={1} flexBasis={0}>
        <Text wrap="truncate-end" {...style}>
          {hasName && <Text {...ENAMEL}>{' • nameplate • '}</Text>}
          {children}
        </Text>
      </Box>
      <Box>
        <Text wrap="truncate-end" {...style}>
          {right}
        </Text>
      </Box>
    </Box>
  );
}
