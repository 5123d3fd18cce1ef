import { Box, Text } from 'ink';
import { splitAtCursor, type TextInput } from './text-input.ts';

interface PromptLineProps {
  /** The question to the user. */
  label: string;
  /** The text that the user types; null for a question that a key answers. */
  input: TextInput | null;
  /** Why the text cannot be used; null if it can. */
  problem?: string | null;
}

/** The line in which the user types, or that asks a question. */
export function PromptLine({ label, input, problem = null }: PromptLineProps) {
  const [before, after] = input === null ? ['', ''] : splitAtCursor(input);
  return (
    <Box minHeight={1} maxHeight={4} flexShrink={0} paddingLeft={1} overflowY="hidden">
      <Text color="cyan">
        {label}
        {input && `${before}▏${after}`}
        {problem !== null && <Text color="red">{`  ${problem}`}</Text>}
      </Text>
    </Box>
  );
}
