import type { ReactElement } from 'react';
import { ChaosForm } from '../forms/chaos-form.tsx';
import { ForcedErrors } from '../forms/forced-errors.tsx';
import { Holds } from './holds.tsx';

/** Shows and sets the injected faults. */
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
