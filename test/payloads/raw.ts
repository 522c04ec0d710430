import { randomUUID } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import type { AgentTestEnvironment } from '../kit';

const bytes = (text: string) => Buffer.from(text);
const payload = (encoding: string | undefined, data: string | Buffer | undefined): Payload => ({
  ...(encoding === undefined ? {} : { metadata: { encoding: bytes(encoding) } }),
  ...(data === undefined ? {} : { data: Buffer.from(data) }),
});

const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

/** Payloads that the SDK cannot decode, or whose JSON no recursive function survives. */
export const UNREADABLE_KINDS: { readonly [kind: string]: Payload[] } = {
  'json/protobuf': [payload('json/protobuf', '{}')],
  'metadata without an encoding': [{ metadata: { other: bytes('x') }, data: bytes('{}') }],
  'no metadata': [payload(undefined, '{}')],
  encrypted: [payload('binary/encrypted', Buffer.from([1, 2, 3, 250, 251]))],
  'broken JSON': [payload('json/plain', '{"text": ')],
  'empty JSON': [payload('json/plain', '')],
  'JSON without data': [payload('json/plain', undefined)],
  'unknown encoding': [payload('strange/`one`\n', 'x')],
  'an encoding that is not a text': [{ metadata: { encoding: Buffer.from([255, 254, 0]) }, data: bytes('x') }],
  'two of them': [payload('binary/encrypted', 'x'), payload('json/plain', '{')],
  // More than JSON.stringify has stack for.
  'deeply nested JSON': [payload('json/plain', `{"text": "x", "toolUseId": "t1.1", "data": ${DEEP}}`)],
  'a deeply nested answer': [payload('json/plain', `{"questionId": "t1.1", "answer": ${DEEP}}`)],
  'a deeply nested result': [payload('json/plain', `{"toolUseId": "t1.1", "error": ${DEEP}}`)],
  'a deeply nested edit': [payload('json/plain', `{"toolUseId": "t1.1", "by": "ann", "input": {"x": ${DEEP}}}`)],
  'the mark of the codec guard': [payload('holdfast/unreadable', 'x')],
};

/** A large one, for which a history has little room. */
export const GARBAGE: Payload[] = [payload('json/plain', Buffer.alloc(1_000_000, 7))];

/** Payloads that can be decoded and are invalid, or contain only the name of the message. */
export const USELESS_KINDS: { readonly [kind: string]: Payload[] } = {
  bytes: [payload('binary/plain', Buffer.from([1, 2, 3]))],
  'something like the mark': [payload('json/plain', '{"problem": "it cannot be read", "encoding": "x"}')],
  'a second one that cannot be read': [payload('json/plain', '{"nothing": 1}'), payload('binary/encrypted', 'x')],
};

/** Payloads that are an absent argument: commands without required arguments take them. */
export const EMPTY_KINDS: { readonly [kind: string]: Payload[] } = {
  'no payload': [],
  'null with data': [payload('binary/null', 'x')],
};

export const json = (value: unknown): Payload[] => jsonText(JSON.stringify(value));
export const jsonText = (text: string): Payload[] => [payload('json/plain', text)];

/** Calls to the server with raw payloads. */
export function rawCalls(kit: AgentTestEnvironment) {
  const { workflowService, options } = kit.client.temporal;
  const { namespace } = options;
  const on = (workflowId: string) => ({ namespace, workflowExecution: { workflowId } });
  return {
    signal: (id: string, signalName: string, payloads: Payload[]) =>
      workflowService.signalWorkflowExecution({ ...on(id), signalName, input: { payloads }, requestId: randomUUID() }),
    /** The failure that the update ends with, `undefined` if it is taken. */
    async update(id: string, name: string, payloads: Payload[]) {
      const { outcome } = await workflowService.updateWorkflowExecution({
        ...on(id),
        waitPolicy: { lifecycleStage: 3 },
        request: { meta: { updateId: randomUUID() }, input: { name, args: { payloads } } },
      });
      return outcome?.failure ?? undefined;
    },
    query: (workflowId: string, queryType: string, payloads: Payload[]) =>
      workflowService.queryWorkflow({
        namespace,
        execution: { workflowId },
        query: { queryType, queryArgs: { payloads } },
      }),
    start: (
      workflowId: string,
      type: string,
      rest: Partial<Parameters<typeof workflowService.startWorkflowExecution>[0]>,
    ) =>
      workflowService.startWorkflowExecution({
        namespace,
        workflowId,
        workflowType: { name: type },
        taskQueue: { name: kit.taskQueue },
        requestId: randomUUID(),
        ...rest,
      }),
  };
}
