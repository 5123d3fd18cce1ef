import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import type { Addition } from '../../../shared/dashboard/browser/addition.ts';
import { Root } from '../../../shared/dashboard/browser/root.tsx';
import { ChaosForm } from './forms/chaos-form.tsx';
import { ForcedErrors } from './forms/forced-errors.tsx';
import { followChanges } from './live.ts';
import { ClockBar } from './parts/clock-bar.tsx';
import { DomainLab } from './views/domain-lab.tsx';
import { EmulatorPanel } from './views/emulator.tsx';
import { Holds } from './views/holds.tsx';
import { MailView } from './views/mail.tsx';
import { Requests } from './views/requests.tsx';
import { SignatureCheck } from './views/signature-check.tsx';

const LAB: Addition = {
  views: {
    emulator: { title: 'Emulator', icon: 'flask', Content: EmulatorPanel },
    requests: { title: 'Requests', icon: 'arrows', Content: Requests },
    mail: { title: 'Mail', icon: 'mail', Content: MailView },
    faults: { title: 'Faults', icon: 'warn', Content: Faults },
  },
  Tool: ClockBar,
  shortcuts: [
    ['n', 'move the clock to the next due work'],
    ['i', 'move the clock until idle'],
    ['c', 'open the clock'],
  ],
  OfDomain: DomainLab,
  OfEvent: SignatureCheck,
};

/** Starts the script of the emulator's dashboard page: follows the emulator's changes, and draws the dashboard with the lab. */
const place = document.getElementById('dashboard');
if (place !== null) {
  followChanges();
  createRoot(place).render(<Root addition={LAB} />);
}

/** Shows and sets the injected faults. */
function Faults(): ReactElement {
  return (
    <div className="page">
      <ChaosForm />
      <ForcedErrors />
      <Holds />
    </div>
  );
}
