import { holdTo } from './hold-to.ts';

await holdTo(() => import('../routing/edge-lookups.test.ts'));
