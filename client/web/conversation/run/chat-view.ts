import type { ChatMessage } from '../message/chat-message';
import type { SteerMessage } from './steers';

/** What the page knows of a conversation beside its messages. */
export interface ChatView {
  /** The messages have not been read yet. */
  loading: boolean;
  /** An exchange is in progress: the agent works, or waits for a person. */
  running: boolean;
  /** What a person has said into the exchange in progress. The stream shows it where the model read it. */
  steers: readonly SteerMessage[];
  /** What was shown before the stream was read again from its start. It stays until the stream has caught up. */
  held?: ChatMessage[] | undefined;
  /** Why the messages cannot be read. */
  problem?: string;
  /** Why the last exchange failed. */
  failure?: { type?: string; message: string } | undefined;
  /** How far messages are summed up between two exchanges. The stream of an exchange says it itself. */
  compaction?: string | undefined;
  /** A message that the server refused. It goes back to the input. */
  refused?: { text: string; why: string } | undefined;
}
