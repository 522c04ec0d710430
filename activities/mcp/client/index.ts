export { openServer } from './open';
