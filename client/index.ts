export { HoldfastError } from '../agent/error';
export { AgentClient, type AgentClientOptions, type ConnectOptions, type StartOptions } from './agent-client';
export { type EventsOptions, RunHandle } from './run-handle';
