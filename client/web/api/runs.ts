import type { BudgetLimits } from '../../../agent/budget/amounts';
import type { ContentPart } from '../../../agent/model/message';
import type { RunState } from '../../../agent/state/run-state';
import type { Json } from '../../../agent/values/json';
import type { ChatMessage } from '../conversation/message/chat-message';
import { get, post, remove } from './request';
import type { AgentInfo, Me, ServerInfo, Session, Waiting, WaitingOfAll } from './types';

/** Ids of runs may contain `:` and `/`. */
export function runPath(id: string): string {
  return `/v1/runs/${encodeURIComponent(id)}`;
}

export const whoAmI = () => get<Me>('/v1/me');
export const info = () => get<ServerInfo>('/v1/info');
export const agents = async () => (await get<{ agents: AgentInfo[] }>('/v1/agents')).agents;
export const waitingOfAll = () => get<WaitingOfAll>('/v1/waiting');
export const sessions = async () => (await get<{ runs: Session[] }>('/v1/runs?limit=200')).runs;

/** `key` makes a second try after a lost answer start the same run. */
export function startRun(agent: string, input: Json | undefined, key: string): Promise<{ id: string }> {
  return post('/v1/runs', { agent, ...(input === undefined ? {} : { input }) }, { 'idempotency-key': key });
}

export const stateOf = (id: string) => get<RunState>(runPath(id));
export const waitingOf = (id: string) => get<Waiting>(`${runPath(id)}/waiting`);
/** Why nothing happens in a run, if it is known. */
export const problemOf = async (id: string) => (await get<{ problem?: string }>(`${runPath(id)}/problem`)).problem;
export const uiMessages = (id: string) =>
  get<{ messages: ChatMessage[]; running: boolean }>(`${runPath(id)}/ui-messages`);
export const wholeResult = async (id: string, toolUseId: string) =>
  (await get<{ content: ContentPart[] }>(`${runPath(id)}/calls/${encodeURIComponent(toolUseId)}/result`)).content;

/** When the model reads a message to an agent that works: at its next call, or at once, instead of going on. */
export type When = 'queue' | 'now';

/** `message` names the message: sent twice under it, the run takes it once. */
export const steer = (id: string, text: string, when: When, message: string) =>
  post<unknown>(`${runPath(id)}/steer`, { text, when, id: message });
export const interrupt = (id: string) => post<unknown>(`${runPath(id)}/interrupt`);
export const cancel = (id: string) => post<unknown>(`${runPath(id)}/cancel`);
export const regenerate = (id: string) => post<unknown>(`${runPath(id)}/regenerate`);
export const compact = (id: string, keep: number) =>
  post<{ when: 'now' | 'next-call' }>(`${runPath(id)}/compact`, { keep });
export const rename = (id: string, title: string) => post<unknown>(`${runPath(id)}/rename`, { title });
export const close = (id: string) => post<unknown>(`${runPath(id)}/close`);
export const retry = (id: string) => post<unknown>(`${runPath(id)}/retry`);
export const switchModel = (id: string, model: string) => post<unknown>(`${runPath(id)}/model`, { model });
export const deleteRun = (id: string) => remove(runPath(id));
export const raiseBudget = (id: string, limits: BudgetLimits, scope: 'run' | 'exchange') =>
  post<unknown>(`${runPath(id)}/budget`, { ...limits, scope });

/** What an undo did, effect by effect. */
export interface Undone {
  toolUseId: string;
  tool: string;
  /** What was undone, or why not. */
  text: string;
  error?: { type: string; message: string };
}

export const undo = async (id: string, what: { count: number } | { toolUseId: string }) =>
  (await post<{ undone: Undone[] }>(`${runPath(id)}/undo`, what)).undone;
