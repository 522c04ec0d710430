import { PARENT_SUBJECT } from '../agent/event';
import { isJsonObject, type Json } from '../agent/json';
import type { AgentState, RunInput } from '../agent/state';

type Begun = Pick<AgentState, 'input' | 'metadata'> &
  Partial<Pick<AgentState, 'owner' | 'delegatedBy' | 'traceparent' | 'initiator' | 'parentSubject'>>;

/** What a run knows from its first argument. The caller's subject is no part of the input that the agent sees. */
export function begun({ input = null, owner, metadata = {}, delegatedBy, traceparent, event }: RunInput): Begun {
  const { data, ...initiator } = event ?? { data: input };
  const subject = isJsonObject(data) ? data[PARENT_SUBJECT] : undefined;
  return {
    input: withoutSubject(data),
    metadata,
    ...(owner === undefined ? {} : { owner }),
    ...(delegatedBy === undefined ? {} : { delegatedBy }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(event === undefined ? {} : { initiator: initiator as NonNullable<Begun['initiator']> }),
    ...(typeof subject === 'string' ? { parentSubject: subject } : {}),
  };
}

function withoutSubject(data: Json): Json {
  if (!isJsonObject(data) || !Object.hasOwn(data, PARENT_SUBJECT)) return data;
  const { [PARENT_SUBJECT]: _, ...rest } = data;
  return rest;
}
