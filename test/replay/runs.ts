import { call, calls, fault, text } from '../kit';
import { until } from '../until';
import { asker, chained, speaker, triage, writer } from './agents';
import { CHAIN_RUNS } from './chain-runs';
import { PLAN_RUNS } from './plan-runs';
import { ended, type RunKind } from './run-kind';
import { TALK_RUNS } from './talk-runs';

const billing = text('{"queue":"billing"}');
const mail = { input: { mail: 'paid twice' } };
const again = call('lookup', { id: 'a' });
const unauthorized = fault({ kind: 'status', status: 401, code: 'invalid_api_key' });
const cut = fault({ kind: 'cut', after: 5 }, { text: 'half a note' });

/** One run of every kind, with its expected end. */
export const RUNS: { readonly [name: string]: RunKind } = {
  ...TALK_RUNS,
  ...CHAIN_RUNS,
  ...PLAN_RUNS,
  'answers/plain-answer': {
    end: '"A note."',
    make: async (kit) => {
      kit.model.script(text('A note.'));
      return ended(await kit.start(writer, { input: 'write', owner: 'u1', metadata: { ticket: 17 } }));
    },
  },
  // The activity that pins the agent has built the context as well. Older histories have a second one for it.
  'answers/one-activity-start': {
    end: '"A note."',
    make: async (kit) => {
      kit.model.script(text('A note.'));
      return ended(await kit.start(writer, { input: 'write' }));
    },
  },
  'calls/tools-in-parallel': {
    end: '"Both."',
    make: async (kit) => {
      const both = calls(['lookup', { id: 'o1' }], ['lines_ask'], ['lookup', { id: 'o2' }]);
      kit.model.script({ ...both, text: 'Let me look.', reasoning: 'Two sources.' }, again, text('Both.'));
      return ended(await kit.start(writer, { input: 'look' }));
    },
  },
  'calls/calls-in-text': {
    end: '"Found."',
    make: async (kit) => {
      const tag = (tool: string, args: string) =>
        `<tool>{"server_name": "local", "tool_name": "${tool}", "arguments": ${args}}</tool>`;
      kit.model.script(
        text(`<thinking>Which order?</thinking>Let me look. ${tag('lookup', '{"id": "o1"}')}`),
        text('It is there.'),
        text('<tool>lookup o1</tool>'),
        text(tag('lokup', '{"id": "o1"}')),
        text(tag('task_completion', '{"result": "Found."}')),
      );
      return ended(await kit.start(speaker, { input: 'look' }));
    },
  },
  'calls/calls-rejected-and-dropped': {
    end: '{"queue":"billing"}',
    make: async (kit) => {
      kit.model.script(
        calls(['lokup', { id: 'o1' }], ['lookup', { number: 1 }], ['lookup', '{"id": '], ['broken']),
        calls(['lookup', { id: 'o1' }], ['urgent']),
        billing,
      );
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/output-corrected': {
    end: '{"queue":"billing"}',
    make: async (kit) => {
      kit.model.script(text('{"queue":"sales"}'), text('billing, I think'), billing);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/output-downgraded': {
    end: '{"queue":"billing"}',
    make: async (kit) => {
      const message = 'This response_format type is unavailable now';
      kit.model.script(fault({ kind: 'status', status: 400, message }), text('{"queue":"sales"}'), billing);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/quota-concluded': {
    end: '{"queue":"billing"}',
    make: async (kit) => {
      kit.model.script(again, again, again, billing);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/quota-exhausted': {
    end: 'ToolQuotaExhausted',
    make: async (kit) => {
      kit.model.script(again, again, again, again);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/answer-cut-by-length': {
    end: '{"queue":"billing"}',
    make: async (kit) => {
      kit.model.script(call('lookup', '{"id": "o', { finishReason: 'length' }), billing);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/model-retried': {
    end: '"A note."',
    make: async (kit) => {
      kit.model.script(cut, text('A note.'));
      return ended(await kit.start(writer, { input: 'write' }));
    },
  },
  'calls/cancelled-while-streaming': {
    end: 'Cancelled',
    make: async (kit) => {
      kit.model.script(again, fault({ kind: 'stall', after: 10 }, { text: 'Once upon a time' }));
      const run = await kit.start(writer, { input: 'write' });
      for await (const event of run.events()) if (event.type === 'stream.text') break;
      await run.cancel();
      return ended(run);
    },
  },
  'calls/cancelled-during-tools': {
    end: 'Cancelled',
    make: async (kit) => {
      kit.model.script(calls(['wait'], ['lookup', { id: 'o1' }]));
      const run = await kit.start(writer, { input: 'wait' });
      for await (const fact of run.facts()) if (fact.type === 'tool.result') break;
      await run.cancel();
      return ended(run);
    },
  },
  'calls/outcome-unknown': {
    end: '{"queue":"billing"}',
    make: async (kit) => {
      kit.model.script(call('pay', { amount: 3 }), call('pay', { amount: 3 }), billing);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/model-unauthorized': {
    end: 'ModelUnauthorized',
    make: async (kit) => {
      kit.model.script(unauthorized);
      return ended(await kit.start(triage, mail));
    },
  },
  'answers/input-of-another-form': {
    end: 'InvalidInput',
    make: async (kit) => {
      const { client } = kit.temporal;
      const args = [{ mail: 'paid twice' }];
      await client.workflow.start(triage.name, { workflowId: 'form', taskQueue: kit.taskQueue, args });
      return ended(kit.client.get('form'));
    },
  },
  'answers/input-refused-by-its-schema': {
    end: 'InvalidInput',
    make: async (kit) => ended(await kit.start('replay.triage', { input: { mail: 7 } })),
  },
  'answers/model-switched': {
    end: '"From the second."',
    make: async (kit) => {
      kit.model.script(unauthorized, text('From the second.'));
      return ended(await kit.start(chained, { input: 'go' }));
    },
  },
  'answers/static-answer': {
    end: '"No one answers."',
    make: async (kit) => {
      kit.model.script(unauthorized, unauthorized);
      return ended(await kit.start(chained, { input: 'go' }));
    },
  },
  'calls/inline-tools': {
    end: '"Seen."',
    make: async (kit) => {
      kit.model.script(calls(['glance', { kb: 1 }], ['glance', { kb: 2 }], ['glance', { kb: 100 }]), text('Seen.'));
      return ended(await kit.start(chained, { input: 'go' }));
    },
  },
  'calls/large-results': {
    end: '"Read."',
    make: async (kit) => {
      kit.model.script(calls(['dump', { kb: 300 }], ['dump', { kb: 900 }]), again, text('Read.'));
      return ended(await kit.start(writer, { input: 'read' }));
    },
  },
  'waits/model-switched-by-a-person': {
    end: '"From the second."',
    make: async (kit) => {
      const anHour = fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
      kit.model.script(anHour, anHour, text('From the second.'));
      const run = await kit.start(writer, { input: 'write' });
      const waits = (times: number) =>
        until(async () => {
          const { outage } = await run.state();
          return outage?.nextAt !== undefined && outage.failures === times;
        }, `wait ${times} for the model`);
      await waits(1);
      await run.retry({ by: 'ann' });
      await waits(2);
      await run.switchModel('second', { by: 'ann' });
      return ended(run);
    },
  },
  'waits/services-answered': {
    end: '"All asked."',
    make: async (kit) => {
      const all = calls(
        ['person', { sku: 'a' }],
        ['carrier', { sku: 'b' }],
        ['triage', { mail: 'paid twice' }],
        ['lookup', { id: 'o1' }],
        ['person', { sku: 'c' }],
      );
      kit.model.script(all, billing, text('All asked.'));
      const run = await kit.start(asker, { input: 'ask' });
      await run.waiting({ atLeast: { services: 4 } });
      const parentid = (await run.waiting()).services.find(({ toolUseId }) => toolUseId === 't1.2')?.ref ?? '';
      const event = { specversion: '1.0' as const, id: 'e1', source: 'carrier', subject: run.id };
      const answer = { ...event, type: 'evt.stock.check.success', parentid, data: { left: 2 } };
      await kit.client.completeService({ ...answer, parentid: 'strange' });
      await kit.client.completeService(answer);
      await kit.client.completeCall(run.id, 't1.5', { error: 'no one is there' });
      await kit.client.completeCall(run.id, 't1.1', { data: { left: 1 } });
      return ended(run);
    },
  },
  'waits/service-timed-out': {
    end: '"No one."',
    make: async (kit) => {
      kit.model.script(call('hurried', { sku: 'a' }), text('No one.'));
      return ended(await kit.start(asker, { input: 'ask' }));
    },
  },
  'waits/cancelled-while-a-child-works': {
    end: 'Cancelled',
    make: async (kit) => {
      kit.model.script(
        calls(['triage', { mail: 'x' }], ['person', { sku: 'a' }]),
        fault({ kind: 'stall', after: 5 }, { text: '{"queue":' }),
      );
      const run = await kit.start(asker, { input: 'ask' });
      await kit.model.request(2);
      await run.cancel();
      return ended(run);
    },
  },
  'waits/started-by-event': {
    end: '"Done."',
    make: async (kit) => {
      kit.model.script(text('Done.'));
      const event = { specversion: '1.0' as const, id: 'ask-1', source: 'shop', subject: 'order-1' };
      return ended(await kit.client.startFromEvent(asker.name, { ...event, type: 'arvo.orc.replay.asker', data: {} }));
    },
  },
  'waits/approvals': {
    end: '"Paid."',
    make: async (kit) => {
      const amounts = [10, 60, 70, 80, 90].map((amount): [string, { amount: number }] => ['refund', { amount }]);
      kit.model.script(calls(...amounts), text('Paid.'));
      const run = await kit.start(asker, { input: 'pay' });
      const {
        approvals: [first, second, third],
      } = await run.waiting({ atLeast: { approvals: 4 } });
      await run.approve(first, { by: 'ann', comment: 'fine' });
      if (second !== undefined) await run.deny(second, { by: 'ann', reason: 'too much' });
      if (third !== undefined) await run.edit(third, { by: 'ann', input: { amount: 8 } });
      // The last one expires.
      return ended(run);
    },
  },
};
