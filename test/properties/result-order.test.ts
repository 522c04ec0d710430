import fc from 'fast-check';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { chatRequest } from '../../activities/model/adapters/chat/chat-request';
import { modelRequest } from '../../activities/model/request/model-request';
import type { ContentPart } from '../../agent/model/message';
import type { AgentState } from '../../agent/state/state';
import { type StepInput, step } from '../../workflows/state/reduce';
import { acting, modelAnswer, runState, toolSpec, type UnhashedRequest } from '../workflows/state-data';

const tools = [
  toolSpec('look', { kind: 'internal' }),
  toolSpec('files.read', { kind: 'mcp' }),
  toolSpec('ask', { kind: 'service' }),
  toolSpec('urgent', { priority: 1 }),
];
const PNG: ContentPart = { type: 'media', mediaType: 'image/png', data: 'AAAA' };

const request: fc.Arbitrary<UnhashedRequest> = fc.record(
  {
    name: fc.constantFrom('look', 'files_read', 'ask', 'nowhere'),
    input: fc.constant({}),
    // Providers repeat ids, or leave them out.
    providerId: fc.constantFrom('a', 'b', 'c', 'd'),
    problem: fc.constant({ type: 'InvalidArguments' as const, message: 'These will not do.' }),
  },
  { requiredKeys: ['name', 'input'] },
);
const batch = fc.record({
  requests: fc.array(request, { minLength: 1, maxLength: 12 }),
  urgent: fc.integer({ min: 0, max: 3 }),
  /** The order in which calls settle. */
  ranks: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
  content: fc.array(fc.constantFrom('text', 'media', 'both', 'nothing'), { minLength: 16, maxLength: 16 }),
});

function fold(state: AgentState, ...inputs: StepInput[]): AgentState {
  return inputs.reduce((before, input) => step(before, input).state, state);
}

function contentOf(kind: string | undefined, id: string): ContentPart[] {
  const said: ContentPart[] = [{ type: 'text', text: `result of ${id}` }];
  return { media: [PNG], both: [...said, PNG], nothing: [] }[kind ?? ''] ?? said;
}

function sent(messages: readonly ChatCompletionMessageParam[]) {
  const asked = messages.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []));
  const told = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []));
  return { asked: asked.map(({ id }) => id), told };
}

it('sends exactly one result for each call, in the order of the calls, before anything else is said', () => {
  fc.assert(
    fc.property(batch, ({ requests, urgent, ranks, content }) => {
      const all = [...requests, ...Array.from({ length: urgent }, () => ({ name: 'urgent', input: {} }))];
      const before = fold(runState(tools), { type: 'calling' }, acting(modelAnswer({ requests: all }), tools));
      const open = before.batch
        .filter(({ status }) => status === 'open')
        .map(({ toolUseId }, i) => ({ toolUseId, rank: ranks[i] ?? 0, kind: content[i] }))
        .sort((a, b) => a.rank - b.rank);
      const settled = open.map(
        ({ toolUseId, kind }): StepInput => ({
          type: 'settled',
          toolUseId,
          outcome: { content: contentOf(kind, toolUseId) },
        }),
      );
      const { messages } = fold(before, ...settled, { type: 'batchSettled' });
      const config = { baseUrl: 'http://model', model: 'm' };
      const body = chatRequest(modelRequest({ config, messages, tools, call: 2 }), config.baseUrl).messages;
      const { asked, told } = sent(body);
      expect(asked.length).toBe(before.batch.length);
      expect(new Set(asked).size).toBe(asked.length);
      expect(told).toEqual(asked);
      const answer = body.findIndex((message) => 'tool_calls' in message);
      const after = body.slice(answer + 1).map(({ role }) => role);
      expect(after.slice(0, asked.length).every((role) => role === 'tool')).toBe(true);
      // Each result is under its own call.
      for (const { toolUseId, kind } of open) {
        const place = before.batch.findIndex((call) => call.toolUseId === toolUseId);
        const text = String(body[answer + 1 + place]?.content);
        if (kind === 'text' || kind === 'both') expect(text).toContain(`result of ${toolUseId}`);
      }
    }),
  );
});
