/**
 * Runs agents: a worker, and a development server with a worker.
 * @module holdfast/worker
 */

export { aiSdk } from '../activities/model/adapters/ai-sdk/ai-sdk';
export type { AiSdkModel, AiSdkStream } from '../activities/model/adapters/ai-sdk/language-model';
export { type SafeFetchOptions, safeFetch } from '../activities/model/adapters/ai-sdk/safe-fetch/safe-fetch';
export type { AiSdkSettings } from '../activities/model/adapters/ai-sdk/settings';
export { defineModel, type ModelDefinition } from '../activities/model/adapters/function/define-model';
export type { ModelStream } from '../activities/model/adapters/function/function-adapter';
export { ModelServerError } from '../activities/model/failures/server-error';
export type { FunctionOutlet, Outlet, OutletContext, SignalOutlet, WebhookOutlet } from '../agent/define/outlet';
export type {
  FinishReason,
  ModelAdapter,
  ModelCall,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ModelTool,
  ModelToolCall,
} from '../agent/model/adapter';
export type { AdaptedModel, ModelConfig, Prices, ServerModel } from '../agent/model/config';
export type { ModelSettings, ToolChoice } from '../agent/model/settings';
export type { Config, Deployment, ModuleModel } from '../runtime/config/config';
export type { StorageConfig } from '../runtime/config/storage';
export type { TemporalConfig } from '../runtime/config/temporal';
export type { TelemetryOptions } from '../runtime/telemetry/settings';
export type { TemporalOptions } from '../runtime/temporal/options';
export { createWorker, type HoldfastWorker } from './create-worker';
export { type DevEvent, type DevOptions, type DevTree, startDev } from './dev/dev';
export type { WorkerTemporalOptions } from './options/temporal-options';
export type { WorkerOptions } from './options/worker-options';
