import type { Agent, Mode } from '../../agent/define/agent-definition';
import type { ConversationHandle } from './conversation-handle';
import type { RunHandle } from './run-handle';

/** What a client passes to runs of the agent. */
export type InputOf<A> = A extends Agent<infer Input> ? Input : never;
/** What a client gets from runs of the agent. */
export type OutputOf<A> = A extends Agent<unknown, infer Output> ? Output : never;
/** Task or conversation. */
export type ModeOf<A> = A extends Agent<unknown, unknown, infer M> ? M : never;

/** The handles by mode: that of a conversation has more commands. */
interface Handles<Output> {
  task: RunHandle<Output>;
  conversation: ConversationHandle<Output>;
}

/** The handle of a run. For an agent of unknown mode it has what both have. */
export type HandleOf<Output, M extends Mode> = Handles<Output>[M];
