import { PARENT_SUBJECT } from '../agent/event';
import { isJsonObject } from '../agent/json';
import type { AgentState, RunInput } from '../agent/state';

type Begun = Pick<AgentState, 'input' | 'metadata'> &
  Partial<Pick<AgentState, 'owner' | 'delegatedBy' | 'traceparent' | 'initiator' | 'parentSubject'>>;

/** What a run knows from its first argument. */
export function begun({ input = null, owner, metadata = {}, delegatedBy, traceparent, event }: RunInput): Begun {
  const { data, ...initiator } = event ?? { data: input };
  const subject = isJsonObject(data) ? data[PARENT_SUBJECT] : undefined;
  return {
    input: data,
    metadata,
    ...(owner === undefined ? {} : { owner }),
    ...(delegatedBy === undefined ? {} : { delegatedBy }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(event === undefined ? {} : { initiator: initiator as NonNullable<Begun['initiator']> }),
    ...(typeof subject === 'string' ? { parentSubject: subject } : {}),
  };
}
