import type { H3 } from 'h3';
import type { Composition } from '../compose.ts';

/** Serves the inspector below `/_emulator/ui`: one page for all views, whose script reads the view from the path, and its event stream. */
export function serveInspector(app: H3, emulator: Composition): void {
  app.on('GET', '/_emulator/ui/stream', async () => {
    const { changeStream } = await import('./change-stream.ts');
    return changeStream(emulator);
  });
  for (const path of ['/_emulator/ui', '/_emulator/ui/**']) {
    // Imported on demand, so that an emulator in a test run starts without it.
    app.on('GET', path, async ({ req }) => (await import('./inspector-page.ts')).inspectorPage(req));
  }
}
