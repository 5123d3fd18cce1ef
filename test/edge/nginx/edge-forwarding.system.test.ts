import { holdTo } from './hold-to.ts';

await holdTo(() => import('../forwarding/edge-forwarding.test.ts'));
