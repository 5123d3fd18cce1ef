import { Text } from 'ink';
import { ENAMEL } from './title-bar.tsx';

/** The first column of a list. It marks the selected row, and shows the mode on all rows: live mode is blue, test mode is dashed. */
export function Rail({ isSelected, isLive }: { isSelected: boolean; isLive: boolean }) {
  if (isLive) return <Text {...ENAMEL}>{isSelected ? '▌' : ' '}</Text>;
  return isSelected ? <Text color="cyan">▌</Text> : <Text dimColor>┆</Text>;
}
