export { LoopWatch } from './loop-watch';
