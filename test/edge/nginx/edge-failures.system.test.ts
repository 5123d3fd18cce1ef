import { holdTo } from './hold-to.ts';

await holdTo(() => import('../forwarding/edge-failures.test.ts'));
