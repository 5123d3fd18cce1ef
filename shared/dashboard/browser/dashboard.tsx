import { createRoot } from 'react-dom/client';
import { pollWhileVisible } from './poll.ts';
import { Root } from './root.tsx';
import { loadSession } from './session.ts';

/** Starts the dashboard's script: reads the session and draws the view that the path names. */
const place = document.getElementById('dashboard');
if (place !== null) {
  void loadSession();
  pollWhileVisible();
  createRoot(place).render(<Root addition={null} />);
}
