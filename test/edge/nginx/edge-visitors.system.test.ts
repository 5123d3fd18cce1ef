import { holdTo } from './hold-to.ts';

await holdTo(() => import('../listeners/edge-visitors.test.ts'));
