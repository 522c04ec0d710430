import type { Fact } from '../../../../../agent/protocol/facts/fact';
import { toolNames } from '../../../../../client/protocols/ai-sdk/calls/tool-names';
import { openBelowIn } from '../../../../../client/protocols/ai-sdk/incoming';
import { Translation } from '../../../../../client/protocols/ai-sdk/translate';

const OF = { runId: 'r', agent: 'support.desk', names: toolNames(null) };

test.each([
  ['the call of the agent has ended', { type: 'tool.error', error: { type: 'ToolCancelled', message: 'Over.' } }],
  ['the exchange has ended', { type: 'exchange.end', reason: 'interrupted' }],
])('a call that a reader has open, of an agent that cannot be read, when %s', (_, body) => {
  const seen = { facts: 1, below: { 't1.1': 4 }, open: ['t1.1/t2.1', 't1.1/t3.1/t1.1'] };
  const translation = new Translation({ ...OF, exchange: 1, seen });
  const fact = { ...body, turn: 1, toolUseId: 't1.1', name: 'desk', seq: 2, time: 1, exchange: 1 } as unknown as Fact;
  const failed = translation.fact(fact).filter(({ type }) => type === 'tool-output-error');
  expect(failed.map((chunk) => 'toolCallId' in chunk && chunk.toolCallId)).toEqual(
    expect.arrayContaining(['t1.1/t2.1', 't1.1/t3.1/t1.1']),
  );
  expect(failed[0]).toMatchObject({ errorText: expect.stringContaining('could not be read') });
});

test('the calls of agents that a message has open', () => {
  const parts = [
    { type: 'tool-sign', toolCallId: 't1.2', state: 'approval-responded' },
    { type: 'dynamic-tool', toolCallId: 't1.1/t1.1', state: 'approval-responded' },
    { type: 'dynamic-tool', toolCallId: 't1.1/t2.1', state: 'output-denied' },
    { type: 'dynamic-tool', toolCallId: 't1.1/t3.1', state: 'input-available' },
    { type: 'text', text: 't1.1/t4.1' },
    null,
  ];
  expect(openBelowIn({ id: 'x1', role: 'assistant', parts })).toEqual(['t1.1/t1.1', 't1.1/t3.1']);
});
