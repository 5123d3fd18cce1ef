import { createRoot } from 'react-dom/client';
import { followChanges } from './live.ts';
import { Shell } from './parts/shell.tsx';

/** Starts the inspector's script: follows the emulator's changes and draws the view that the path names. */
const place = document.getElementById('inspector');
if (place !== null) {
  followChanges();
  createRoot(place).render(<Shell />);
}
