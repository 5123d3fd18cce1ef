import { holdTo } from './hold-to.ts';

await holdTo(() => import('../access-log.test.ts'));
