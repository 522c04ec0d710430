export type { ModelConfig } from '../agent/model-config';
export { createWorker, type HoldfastWorker, type WorkerOptions } from './create-worker';
export { type DevEvent, type DevOptions, type DevTree, startDev } from './dev';
