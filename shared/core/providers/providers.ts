import { PROVIDERS_A_TO_D } from './data/a-to-d.ts';
import { PROVIDERS_E_TO_N } from './data/e-to-n.ts';
import { PROVIDERS_O_TO_Z } from './data/o-to-z.ts';
import type { Provider } from './provider.ts';

/** All known providers, sorted by id. */
export const PROVIDERS: readonly Provider[] = [...PROVIDERS_A_TO_D, ...PROVIDERS_E_TO_N, ...PROVIDERS_O_TO_Z];
