import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';

/** What stands above a list: its name, how many, and its filters. */
export function ListHead({
  title,
  total,
  action,
  children,
}: {
  title: string;
  total: number | null;
  action?: ReactNode;
  children?: ReactNode;
}): ReactElement {
  return (
    <div className="list-head">
      <div className="list-title">
        <h2>{title}</h2>
        {total === null ? null : <span className="count">{total.toLocaleString('en')}</span>}
        {action}
      </div>
      {children === undefined ? null : <div className="filters">{children}</div>}
    </div>
  );
}

export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactElement {
  return (
    <label className="search">
      <span className="hidden">{label}</span>
      <Icon name="search" />
      <input
        type="search"
        data-search=""
        placeholder={label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** @param options each with its word, where that is not its value. */
export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, word: string])[];
  onChange: (value: string) => void;
}): ReactElement {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([option, word]) => (
        <option key={option} value={option}>
          {word}
        </option>
      ))}
    </select>
  );
}
