import type { QueuedMessage } from '../../agent/conversation/messages';
import { textOf } from '../../agent/model/message';
import type { UnreadMessage } from '../../agent/state/run-state';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { shorten } from '../../agent/values/shorten';

/** Unread messages that the state shows: a run may have hundreds. */
const SHOWN = 20;
/** Characters of each. */
const TEXT = 500;

/** What people have said and the model has not read yet, in the order in which it is read. */
export function unreadMessages({ inbox, steers }: Pick<AgentState, 'inbox' | 'steers'>): UnreadMessage[] {
  return [...steers.map((message) => unread(message, true)), ...inbox.flatMap((message) => queued(message))].slice(
    0,
    SHOWN,
  );
}

/** An entry that only regenerates an answer has no message. */
function queued(message: QueuedMessage): UnreadMessage[] {
  return message.regenerates === undefined ? [unread(message, false)] : [];
}

function unread({ id, by, at, parts }: QueuedMessage, steers: boolean): UnreadMessage {
  return { ...defined({ id, by }), at, text: shorten(textOf({ parts }), TEXT), steers };
}
