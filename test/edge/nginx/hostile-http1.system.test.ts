import { holdTo } from './hold-to.ts';

await holdTo(() => import('../wire/hostile-http1.test.ts'));
