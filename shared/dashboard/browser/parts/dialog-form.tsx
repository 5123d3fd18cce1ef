import {
  type ButtonHTMLAttributes,
  type FormEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { notify } from '../notices.tsx';
import { refresh } from '../reading.ts';
import { sentencesOf } from '../send.ts';
import { Dialog } from './dialog.tsx';
import { type Fields, fieldsOf } from './fields.tsx';

interface DialogFormOptions {
  /** The label of the button that opens the dialog. */
  word: ReactNode;
  /** Further attributes of the button that opens the dialog. */
  opener?: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;
  title: string;
  /** The label of the button that submits the form. */
  submit: string;
  /** True if the command cannot be undone. */
  danger?: boolean;
  /** Runs the command of the form with its fields. @returns the message to show. */
  work: (fields: Fields) => Promise<string>;
  children: ReactNode;
}

/** A button that opens a form in a dialog. If the command fails, the dialog stays open and shows the problem. */
export function DialogForm(options: DialogFormOptions): ReactElement {
  const { word, opener, title, submit, danger, work, children } = options;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string[]>([]);
  const id = useId();

  function close(): void {
    setProblem([]);
    setOpen(false);
  }

  async function act(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const done = await work(fieldsOf(event.currentTarget));
      close();
      notify(done);
      void refresh();
    } catch (thrown) {
      setProblem(sentencesOf(thrown));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <button type="button" onClick={() => setOpen(true)} {...opener}>
        {word}
      </button>
      {open ? (
        <Dialog title={title} onClose={close}>
          <form className="form" aria-describedby={id} onSubmit={(event) => void act(event)}>
            {children}
            <p className="bad-text lines" id={id} role="alert">
              {problem.join('\n')}
            </p>
            <div className="actions">
              <button
                type="submit"
                className={danger ? 'danger' : 'btn lead'}
                aria-disabled={busy || undefined}
              >
                {submit}
              </button>
              <button type="button" onClick={close}>
                Cancel
              </button>
            </div>
          </form>
        </Dialog>
      ) : null}
    </>
  );
}
