import {
  type ButtonHTMLAttributes,
  type FormEvent,
  type InputHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type SelectHTMLAttributes,
  useId,
  useState,
} from 'react';
import { notify, notifyError } from '../notices.tsx';
import { refresh } from '../reading.ts';
import { sentencesOf } from '../send.ts';
import { Dialog } from './dialog.tsx';

/**
 * Runs commands one at a time, and shows their result.
 * @returns whether a command is running, and a function that runs a command. A command returns the message to show.
 */
export function useCommand(): [busy: boolean, run: (work: () => Promise<string>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  async function run(work: () => Promise<string>): Promise<void> {
    if (busy) return;
    setBusy(true);
    await report(work);
    setBusy(false);
  }
  return [busy, run];
}

/** Runs a command and shows the message that it returns, or its error. @returns whether the command succeeded. */
export async function report(work: () => Promise<string>): Promise<boolean> {
  try {
    notify(await work());
    return true;
  } catch (thrown) {
    notifyError(thrown);
    return false;
  } finally {
    void refresh();
  }
}

type Attributes = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'type'>;

/** A button that runs a command. It keeps the focus while the command runs. */
export function CommandButton({ work, ...rest }: Attributes & { work: () => Promise<string> }): ReactElement {
  const [busy, run] = useCommand();
  return <button type="button" aria-disabled={busy || undefined} onClick={() => void run(work)} {...rest} />;
}

/** The texts of a form's fields by their names, without spaces around them. A checkbox that is not checked has none. */
export type FormFields = Readonly<Record<string, string>>;

export function fieldsOf(form: HTMLFormElement): FormFields {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]));
}

/** A text field below its label. Any further attribute goes to the field. */
export function TextField({
  label,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { label: string }): ReactElement {
  return (
    <label>
      {label}
      <input spellCheck={false} autoComplete="off" {...rest} />
    </label>
  );
}

/** A choice of a select field: its value, and its words if they differ from the value. */
export type Option = string | readonly [value: string, words: string];

type SelectAttributes = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'>;

/** A select field, below its label if it has one. Any further attribute goes to the field. */
export function Choice(
  input: SelectAttributes & { label?: string; options: readonly Option[]; onText?: (value: string) => void },
): ReactElement {
  const { label, options, onText, ...rest } = input;
  const field = (
    <select {...rest} onChange={(event) => onText?.(event.target.value)}>
      {options.map((option) => {
        const [value, words] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {words}
          </option>
        );
      })}
    </select>
  );
  return label === undefined ? (
    field
  ) : (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is a variable
    <label>
      {label}
      {field}
    </label>
  );
}

/**
 * A form that runs a command with its fields.
 * @param input.look the class of the form; without it, the form is one line.
 * @param input.work returns the message to show.
 * @param input.beside further buttons.
 */
export function CommandForm(input: {
  look?: string;
  submit: string;
  work: (fields: FormFields) => Promise<string>;
  beside?: ReactNode;
  children: ReactNode;
}): ReactElement {
  const { look, submit, work, beside, children } = input;
  const [busy, run] = useCommand();
  const button = (
    <button type="submit" className={look && 'btn lead'} aria-disabled={busy || undefined}>
      {submit}
    </button>
  );
  return (
    <form
      className={look ?? 'line-form'}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = fieldsOf(event.currentTarget);
        void run(() => work(fields));
      }}
    >
      {children}
      {beside === undefined ? (
        button
      ) : (
        <div className="actions">
          {button}
          {beside}
        </div>
      )}
    </form>
  );
}

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
  work: (fields: FormFields) => Promise<string>;
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
