import { holdTo } from './hold-to.ts';

await holdTo(() => import('../tls/edge-tls-sessions.test.ts'));
