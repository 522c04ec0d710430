export { createCallModel } from './call-model';
