import { createRoot } from 'react-dom/client';
import { Root } from './root.tsx';

/** Starts the dashboard's script: draws the view that the path names. */
const place = document.getElementById('dashboard');
if (place !== null) createRoot(place).render(<Root addition={null} />);
