import { holdTo } from './hold-to.ts';

await holdTo(() => import('../routing/edge-route-gone.test.ts'));
