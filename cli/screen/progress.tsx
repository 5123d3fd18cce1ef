import { Box, render, Text } from 'ink';
import type { ProgressState } from '../output/progress.ts';
import type { World } from '../settings/world.ts';
import { giveSize, setColors } from './open-screen.ts';
import { styleProps } from './row.tsx';

export type DrawnProgress = ReturnType<typeof drawProgress>;

/** Draws the progress of a command on stderr, below the lines that it prints. */
export function drawProgress({ stderr }: Pick<World, 'stderr'>, color: boolean) {
  setColors(color);
  giveSize(stderr);
  let instance: ReturnType<typeof render> | null = null;
  const drop = () => {
    // Make Ink's pending frame empty, because Ink draws it when it unmounts.
    instance?.rerender(null);
    instance?.clear();
    instance?.unmount();
  };
  return {
    draw(state: ProgressState) {
      const view = <ProgressLines {...state} />;
      if (instance !== null) return instance.rerender(view);
      instance = render(view, {
        stdout: stderr as NodeJS.WriteStream,
        exitOnCtrlC: false,
        patchConsole: false,
        interactive: true,
      });
    },
    /** Erases the progress until the next `draw`, so that other output can be printed in its place. */
    erase: () => instance?.clear(),
    /** Erases the progress immediately, and stops drawing. */
    drop,
    /** Waits until Ink has drawn its pending frame, then erases the progress. */
    async close(): Promise<void> {
      await instance?.waitUntilRenderFlush();
      drop();
    },
  };
}

/** Draws a line for each thing that a command waits for, with notes below it, then a bar and a hint. */
export function ProgressLines({ items, bar, hint }: ProgressState) {
  return (
    <Box flexDirection="column">
      {items.map(({ name, parts, notes }) => (
        <Box key={name} flexDirection="column">
          <Box columnGap={2} flexWrap="wrap">
            <Text bold>{name}</Text>
            {parts.map(({ text, style }) => (
              <Text key={text} {...styleProps(style ?? null)}>
                {text}
              </Text>
            ))}
          </Box>
          {notes.map((note) => (
            <Box key={note} paddingLeft={2}>
              <Text dimColor>{note}</Text>
            </Box>
          ))}
        </Box>
      ))}
      {bar !== null && (
        <Box columnGap={1}>
          <Bar {...bar} />
          <Text>{`${bar.done} of ${bar.total}`}</Text>
        </Box>
      )}
      <Text dimColor>{hint}</Text>
    </Box>
  );
}

const BAR_WIDTH = 30;

function Bar({ done, total }: { done: number; total: number }) {
  const filled = total === 0 ? BAR_WIDTH : Math.floor((done / total) * BAR_WIDTH);
  return (
    <Text>
      <Text color="green">{'━'.repeat(filled)}</Text>
      <Text dimColor>{'─'.repeat(BAR_WIDTH - filled)}</Text>
    </Text>
  );
}
