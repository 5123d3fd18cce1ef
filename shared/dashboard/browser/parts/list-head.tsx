import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { COUNTED_MAX } from '../../../core/limits.ts';

/** Formats a count of an overview, such as `1,000+` if there may be more. */
export function cappedCount(count: number): string {
  return count < COUNTED_MAX ? String(count) : `${COUNTED_MAX.toLocaleString('en')}+`;
}

/** The head of a list: its title, the number of rows, and its filters. */
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
        {total === null ? null : <span className="count">{cappedCount(total)}</span>}
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

/** A select field. @param options the choices, as pairs of value and label. */
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
