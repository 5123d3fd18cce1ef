import { holdTo } from './hold-to.ts';

await holdTo(() => import('../edge-health.test.ts'));
