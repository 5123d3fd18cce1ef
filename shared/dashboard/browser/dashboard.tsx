import { createRoot } from 'react-dom/client';
import { Root } from './root.tsx';

/** Starts the dashboard's script: renders the view of the current path. */
const place = document.getElementById('dashboard');
if (place !== null) createRoot(place).render(<Root addition={null} />);
