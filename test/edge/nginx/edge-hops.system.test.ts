import { holdTo } from './hold-to.ts';

await holdTo(() => import('../listeners/edge-hops.test.ts'));
