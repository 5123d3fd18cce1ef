import type { InputHTMLAttributes, ReactElement, ReactNode, SelectHTMLAttributes } from 'react';
import { useCommand } from './command-button.tsx';

type TextAttributes = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'>;

/** A text field below its label. Any further attribute goes to the field. */
export function TextField(
  input: TextAttributes & { label: string; onText: (text: string) => void },
): ReactElement {
  const { label, onText, ...rest } = input;
  return (
    <label>
      {label}
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        onChange={(event) => onText(event.target.value)}
      />
    </label>
  );
}

/** A choice of a select field: its value, and its words if they differ from the value. */
export type Option = string | readonly [value: string, words: string];

type SelectAttributes = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'>;

/** A select field, below its label if it has one. Any further attribute goes to the field. */
export function Choice(
  input: SelectAttributes & { label?: string; options: readonly Option[]; onText: (value: string) => void },
): ReactElement {
  const { label, options, onText, ...rest } = input;
  const field = (
    <select {...rest} onChange={(event) => onText(event.target.value)}>
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

/** A form of one line that runs a command. @param input.work returns the message to show. */
export function LineForm(input: {
  submit: string;
  work: () => Promise<string>;
  children: ReactNode;
}): ReactElement {
  const { submit, work, children } = input;
  const [busy, run] = useCommand();
  return (
    <form
      className="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        void run(work);
      }}
    >
      {children}
      <button type="submit" aria-disabled={busy || undefined}>
        {submit}
      </button>
    </form>
  );
}
