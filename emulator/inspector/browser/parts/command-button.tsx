import { type ButtonHTMLAttributes, type ReactElement, useState } from 'react';
import { refresh } from '../live.ts';
import { say, sayError } from '../notices.tsx';

/**
 * Does something in the emulator, one at a time, and says what came of it.
 * @returns whether it is under way, and what starts it. The work returns what to say.
 */
export function useDeed(): [busy: boolean, run: (work: () => Promise<string>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  async function run(work: () => Promise<string>): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      say(await work());
    } catch (thrown) {
      sayError(thrown);
    } finally {
      setBusy(false);
      refresh();
    }
  }
  return [busy, run];
}

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;

/** A button that does something. It keeps its focus while it is at it. */
export function DeedButton({ work, ...rest }: Attributes & { work: () => Promise<string> }): ReactElement {
  const [busy, run] = useDeed();
  return <button type="button" aria-disabled={busy || undefined} onClick={() => void run(work)} {...rest} />;
}
