import { holdTo } from './hold-to.ts';

await holdTo(() => import('../routing/edge-probe-flood.test.ts'));
