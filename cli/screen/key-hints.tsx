import { Box, Text } from 'ink';

/** A line with keys, the most important first. Those that do not fit are left out. */
export function KeyHints({ hints }: { hints: readonly string[] }) {
  return (
    <Box height={1} flexShrink={0} flexWrap="wrap" columnGap={2} overflowY="hidden" paddingLeft={1}>
      {hints.map((hint) => (
        <Text key={hint} dimColor>
          {hint}
        </Text>
      ))}
    </Box>
  );
}
