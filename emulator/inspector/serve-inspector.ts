import type { H3 } from 'h3';
import type { Composition } from '../compose.ts';

/** Adds the inspector below `/_emulator/ui`: one page whatever the view, which its script reads from the path, and its stream. */
export function serveInspector(app: H3, emulator: Composition): void {
  app.on('GET', '/_emulator/ui/stream', async () => {
    const { changeStream } = await import('./change-stream.ts');
    return changeStream(emulator);
  });
  for (const path of ['/_emulator/ui', '/_emulator/ui/**']) {
    // Loaded when somebody looks: an emulator in a test run starts without it.
    app.on('GET', path, async ({ req }) => (await import('./inspector-page.ts')).inspectorPage(req));
  }
}
