import { holdTo } from './hold-to.ts';

await holdTo(() => import('../forwarding/edge-streams.test.ts'));
