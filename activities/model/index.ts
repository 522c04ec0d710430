export { type CallModelDeps, createCallModel } from './call-model';
