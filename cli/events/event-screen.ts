import type { Output } from '../output/output.ts';
import type { World } from '../settings/world.ts';
import { type FullScreen, openFullScreen } from '../terminal/full-screen.ts';
import { isPasted, type KeyPress } from '../terminal/read-keys.ts';
import { drawFrame, type FrameTime } from './drawing/draw-frame.ts';
import type { ViewCommand } from './view/keys/key-outcome.ts';
import { pressKey } from './view/press-key.ts';
import type { ViewStore } from './view/view-store.ts';

interface EventScreenOptions {
  store: ViewStore;
  act(command: ViewCommand): void;
  time(): FrameTime;
  paint: Output['paint'];
  world: Pick<World, 'stdin' | 'stdout' | 'stopJob'>;
}

/** The interval for redrawing ages and waits. */
const TICK_MS = 1_000;

/** Draws the event view on the terminal with each change, and passes keys to it, until it is closed. */
export function openEventScreen(options: EventScreenOptions): Pick<FullScreen, 'setMouse' | 'close'> {
  const { store, act, time, paint, world } = options;
  const { stdin, stdout } = world;
  const { hasMouse } = store.get();
  const screen = openFullScreen({ stdin, stdout, paint, hasMouse, pressed, emptied });
  const draw = () => screen.draw(drawFrame(store.get(), time()));
  let isDue = false;
  const drawSoon = () => {
    if (isDue) return;
    isDue = true;
    // A key may change the state several times. One frame shows all of it.
    queueMicrotask(() => {
      isDue = false;
      draw();
    });
  };
  emptied();
  draw();
  const unsubscribe = store.subscribe(drawSoon);
  const tick = setInterval(draw, TICK_MS);
  return {
    setMouse: screen.setMouse,
    close() {
      clearInterval(tick);
      unsubscribe();
      screen.close();
    },
  };

  function emptied(): void {
    store.dispatch({ kind: 'screen', size: screen.size() });
  }

  function pressed(keys: readonly KeyPress[]): void {
    for (const key of keys) {
      // Pasted text goes into the filter, which it may open. It never acts as other keys.
      const opensFilter = key.name === '' && key.text === '/';
      if (!isPasted(key, keys) || opensFilter || store.get().panel.open === 'filter') press(key);
    }
  }

  function press(key: KeyPress): void {
    const { actions, command, stopsJob } = pressKey(store.get(), key);
    for (const action of actions) store.dispatch(action);
    if (command) act(command);
    if (stopsJob) screen.suspend(world.stopJob);
  }
}
