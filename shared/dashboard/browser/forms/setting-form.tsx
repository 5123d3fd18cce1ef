import { type ChangeEvent, type FormEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import type { ChangedMeanwhile } from '../../responses.ts';
import { notify } from '../notices.tsx';
import { Choice, type Option } from '../parts/forms.tsx';
import { refresh } from '../reading.ts';
import { RequestError, sentencesOf } from '../send.ts';

/** A setting that has its own form. */
interface SettingFormInput {
  label: string;
  /** True if the heading above the setting says the same as the label. The label is then only for screen readers. */
  isTitled?: boolean;
  /** The name of the field in the API. */
  field: string;
  /** The current value; null if it is not set. */
  value: string | null;
  /** A text that explains the setting. */
  hint?: ReactNode;
  placeholder?: string;
  /** The choices of a select field. If absent, the setting is a text field. */
  options?: readonly Option[];
  /** True if saving an empty text removes the value. */
  clearable?: boolean;
  maxLength?: number;
  /** The height of the field in lines. If absent, the field has one line. */
  rows?: number;
  /** Converts a value of the API to the text in the form. By default, a value is a text or null. */
  asText?: (value: unknown) => string | null;
  /** False if the person's role does not allow a change. The form then only shows the value. */
  mayChange: boolean;
  /** Saves the new value. `expected` is the value that the form showed. @returns the message to show. */
  save: (value: string | null, expected: string | null) => Promise<string>;
}

/**
 * Edits one setting. If someone else changed it since the form showed it, the form keeps the typed text and shows the other value beside it.
 */
export function SettingForm(input: SettingFormInput): ReactElement {
  const { label, field, value, hint, clearable = false, asText = plainText } = input;
  /** The typed text, and the value that the form showed when the person began to type. */
  const [draft, setDraft] = useState<{ text: string; shown: string | null } | null>(null);
  const [problem, setProblem] = useState<string[]>([]);
  const [meanwhile, setMeanwhile] = useState<{ value: string | null } | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const look = input.isTitled ? 'hidden' : 'setting-label';

  if (!input.mayChange) {
    return (
      <div className="setting">
        <p className={look}>{label}</p>
        <p>
          {value === null ? <span className="muted">not set</span> : <code className="lines">{value}</code>}
        </p>
        {hint}
      </div>
    );
  }

  const text = draft?.text ?? value ?? '';
  const isChanged = draft !== null && text.trim() !== (draft.shown ?? '');

  function type(next: string): void {
    setDraft({ text: next, shown: draft === null ? value : draft.shown });
    setProblem([]);
  }

  function forget(): void {
    setDraft(null);
    setProblem([]);
    setMeanwhile(null);
  }

  async function save(expected: string | null): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      const trimmed = text.trim();
      const message = await input.save(trimmed === '' && clearable ? null : trimmed, expected);
      forget();
      notify(message);
    } catch (thrown) {
      const now = changedTo(thrown, field);
      setMeanwhile(now && { value: asText(now.value) });
      setProblem(now === null ? sentencesOf(thrown) : []);
    } finally {
      setBusy(false);
      void refresh();
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isChanged) void save(draft.shown);
  }

  const describedBy = `${id}-problem`;
  return (
    <form className="setting form" onSubmit={submit}>
      <label htmlFor={id} className={look}>
        {label}
      </label>
      <Field
        {...input}
        attributes={{
          id,
          value: text,
          'aria-invalid': problem.length > 0,
          'aria-describedby': describedBy,
          onText: type,
        }}
      />
      <div id={describedBy} role="alert" className="stack">
        {problem.length === 0 ? null : <p className="bad-text lines">{problem.join('\n')}</p>}
        {meanwhile === null ? null : (
          <div className="verdict wait">
            <p>
              Someone changed this meanwhile. It was {shownValue(draft?.shown ?? null)}, and now it is{' '}
              {shownValue(meanwhile.value)}. Your text is not saved yet.
            </p>
            <p className="actions">
              <button type="button" onClick={() => void save(meanwhile.value)}>
                Save mine
              </button>
              <button type="button" onClick={forget}>
                Keep theirs
              </button>
            </p>
          </div>
        )}
      </div>
      {isChanged && meanwhile === null ? (
        <div className="actions">
          <button type="submit" className="btn lead" aria-disabled={busy || undefined}>
            Save
          </button>
          <button type="button" onClick={forget}>
            Cancel
          </button>
        </div>
      ) : null}
      {hint}
    </form>
  );
}

/** The input of the setting: one line, several lines, or a choice. */
function Field(input: SettingFormInput & { attributes: FieldAttributes }): ReactElement {
  const { placeholder, options, clearable = false, maxLength = 2048, rows } = input;
  const { onText, ...attributes } = input.attributes;
  if (options !== undefined) {
    return <Choice {...attributes} options={options} onText={onText} />;
  }
  const ofText = {
    placeholder,
    required: !clearable,
    maxLength,
    spellCheck: false,
    autoComplete: 'off',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onText(target.value),
  };
  return rows === undefined ? (
    <input {...attributes} {...ofText} />
  ) : (
    <textarea {...attributes} {...ofText} rows={rows} />
  );
}

interface FieldAttributes {
  id: string;
  value: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
  onText: (text: string) => void;
}

function plainText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function shownValue(value: string | null): ReactElement {
  return value === null ? <em>not set</em> : <code>{value}</code>;
}

/** Returns the value that someone else has saved, if the server refused the change for this reason. */
function changedTo(thrown: unknown, field: string): { value: unknown } | null {
  if (!(thrown instanceof RequestError) || thrown.code !== 'changed_meanwhile') return null;
  const { now } = thrown.detail as ChangedMeanwhile;
  return { value: now[field] ?? null };
}
