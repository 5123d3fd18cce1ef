import { type ReactElement, type ReactNode, useEffect } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { COUNTED_MAX } from '../../../core/limits.ts';
import { createSharedValue, useSharedValue } from '../shared-value.ts';
import { Link } from './link.tsx';

/** The number of entries of the list that the page shows; null if it shows no list, or the number is not known. */
const shownTotal = createSharedValue<number | null>(null);

export function useHeadCount(): number | null {
  return useSharedValue(shownTotal);
}

/** Formats a count of an overview, such as `1,000+` if there may be more. */
export function cappedCount(count: number): string {
  return count < COUNTED_MAX ? String(count) : `${COUNTED_MAX.toLocaleString('en')}+`;
}

/** The filters and actions above a list. The number of rows is shown beside the title in the bar. */
export function ListHead(input: {
  title: string;
  total: number | null;
  action?: ReactNode;
  children?: ReactNode;
}): ReactElement {
  const { title, total, action, children } = input;
  useEffect(() => {
    shownTotal.set(total);
    return () => shownTotal.set(null);
  }, [total]);
  return (
    <search className="bar2" aria-label={title}>
      {children}
      {action === undefined ? null : <div className="end">{action}</div>}
    </search>
  );
}

/** The choices of a filter, with counts. Each choice is an address. @param input.options pairs of value and label, each with a count if known. */
export function Chips(input: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, word: string, count?: number | undefined])[];
  hrefOf: (value: string) => string;
}): ReactElement {
  const { label, value, options, hrefOf } = input;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls, and these are links
    <div className="chips" role="group" aria-label={label}>
      {options.map(([option, word, count]) => (
        <Link key={option} href={hrefOf(option)} aria-current={option === value ? 'true' : undefined}>
          {word} {count === undefined ? null : <span className="num">{cappedCount(count)}</span>}
        </Link>
      ))}
    </div>
  );
}

export function SearchField(input: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactElement {
  const { label, value, onChange } = input;
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
