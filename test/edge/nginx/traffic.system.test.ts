import { holdTo } from './hold-to.ts';

await holdTo(() => import('../traffic.test.ts'));
