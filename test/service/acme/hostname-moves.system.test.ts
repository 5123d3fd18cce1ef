import { describeHostnameMoves } from './hostname-moves.ts';

describeHostnameMoves('node');
