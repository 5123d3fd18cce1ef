import type { ReactElement } from 'react';
import { ChaosForm } from '../forms/chaos-form.tsx';
import { ForcedErrors } from '../forms/forced-errors.tsx';
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
