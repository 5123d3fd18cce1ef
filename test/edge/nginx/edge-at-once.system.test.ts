import { holdTo } from './hold-to.ts';

await holdTo(() => import('../routing/at-once.test.ts'));
