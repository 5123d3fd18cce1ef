import type { ReactElement } from 'react';
import type { ProviderChoice } from '../content/connect-content.ts';

/** Renders the list from which the visitor chooses the guide of another DNS provider. */
export function ProviderPicker({ of: { label, chosen, list } }: { of: ProviderChoice }): ReactElement {
  return (
    <>
      <label htmlFor="provider">{label}</label>
      <select id="provider" name="provider" defaultValue={chosen}>
        {list.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}
