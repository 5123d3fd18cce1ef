import { holdTo } from './hold-to.ts';

await holdTo(() => import('../wire/hostile-http2.test.ts'));
