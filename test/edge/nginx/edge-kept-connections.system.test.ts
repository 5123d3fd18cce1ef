import { holdTo } from './hold-to.ts';

await holdTo(() => import('../forwarding/edge-kept-connections.test.ts'));
