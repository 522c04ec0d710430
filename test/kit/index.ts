/**
 * Tests of agents: a Temporal server that skips time, a worker, and a model that follows a script.
 * @module holdfast/testing
 */

export { type RecordedHistory, Replayer } from '../../workers/replay/replayer';
export { type AgentTestEnvironment, createAgentTestEnvironment, type TestEnvironmentOptions } from './environment';
export type { ChatMessage, ChatRequest, ModelReply, ReplyCall, ReplyFault } from './model-reply';
export { type Answer, type ModelServer, type RecordedRequest, serveModel } from './model-server';
export { call, calls, fault, ScriptedModel, type ScriptTurn, text } from './scripted-model';
