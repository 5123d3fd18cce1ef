import type { InputHTMLAttributes, ReactElement, ReactNode, SelectHTMLAttributes } from 'react';
import { useCommand } from './command-button.tsx';

/** The texts of a form's fields by their names, without spaces around them. A checkbox that is not checked has none. */
export type Fields = Readonly<Record<string, string>>;

export function fieldsOf(form: HTMLFormElement): Fields {
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
  work: (fields: Fields) => Promise<string>;
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
