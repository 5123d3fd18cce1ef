import { Box, render, Text } from 'ink';
import type { ReactNode } from 'react';
import type { ProgressState } from '../output/progress.ts';
import type { World } from '../settings/world.ts';
import { giveSize, setColors } from './open-screen.ts';
import { styleProps } from './row.tsx';

/** Progress below the lines that a command prints. */
export interface DrawnProgress {
  draw(state: ProgressState): void;
  /** Erases the progress, so that the next output takes its place. */
  erase(): void;
  /** Erases the progress, and draws nothing any more. */
  drop(): void;
  /** Draws the frame that waits for its turn, then drops it. */
  close(): Promise<void>;
}

/** Draws the progress of a command on stderr. */
export function drawProgress({ stderr }: Pick<World, 'stderr'>, color: boolean): DrawnProgress {
  setColors(color);
  giveSize(stderr);
  let instance: ReturnType<typeof render> | null = null;
  const drop = () => {
    // Without content, because Ink draws a frame that waits for its turn when it unmounts.
    instance?.rerender(null);
    instance?.clear();
    instance?.unmount();
  };
  return {
    draw(state) {
      const view = <ProgressLines {...state} />;
      if (instance !== null) return instance.rerender(view);
      instance = render(view, {
        stdout: stderr as NodeJS.WriteStream,
        exitOnCtrlC: false,
        patchConsole: false,
        interactive: true,
      });
    },
    erase: () => instance?.clear(),
    drop,
    async close() {
      await instance?.waitUntilRenderFlush();
      drop();
    },
  };
}

/** A line for each thing that a command waits for, with notes below it, a bar, and a hint. */
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
            <Note key={note}>{note}</Note>
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

function Note({ children }: { children: ReactNode }) {
  return (
    <Box paddingLeft={2}>
      <Text dimColor>{children}</Text>
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
