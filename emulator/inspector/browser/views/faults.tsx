import type { ReactElement } from 'react';
import { ChaosForm } from './chaos-form.tsx';
import { ForcedErrors } from './forced-errors.tsx';
import { Holds } from './holds.tsx';

/** What goes wrong on purpose. */
export function Faults(): ReactElement {
  return (
    <div className="page">
      <h2>Faults</h2>
      <ChaosForm />
      <ForcedErrors />
      <Holds />
    </div>
  );
}
