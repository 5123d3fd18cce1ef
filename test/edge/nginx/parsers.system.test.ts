import { holdTo } from './hold-to.ts';

await holdTo(() => import('../wire/parsers.test.ts'));
