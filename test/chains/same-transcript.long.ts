import { defineAgent, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, serveModel, text } from 'holdfast/testing';
import { z } from 'zod';
import { HoldfastError } from '../../agent/errors/error';
import type { Message } from '../../agent/model/message';
import { talkProblems } from '../conversation/check-talk';
import { type Random, randomFrom } from '../determinism/random/random';
import { factsOf } from '../facts';
import { plain } from '../services/stage';
import { until } from '../until';

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
const STEPS = Number(process.env.STEPS ?? 60);

const input = z.object({ sku: z.string() });
const done = ({ sku }: { sku: string }) => `${sku} is done`.repeat(50);
const agent = defineAgent({
  name: 'test.same',
  mode: 'conversation',
  loopTools: ['ask_question'],
  tools: {
    // One by one: what ends last is undone first.
    put: defineTool({
      description: 'puts',
      inputSchema: input,
      execution: 'serial',
      execute: done,
      undo: () => 'undone',
    }),
    pay: defineTool({ description: 'pays', inputSchema: input, approval: 'always', execute: done }),
  },
  services: { ask: signalService(plain, '1.0.0') },
});

/** A message of the person names the calls of the answer to it; after their results the model answers with a text. */
const asks = (names: readonly string[]) => names.map((name) => `call:${name}`).join(' ');
const model = () =>
  serveModel(({ messages }) => {
    const last = messages.at(-1);
    const names =
      last?.role === 'user' ? [...String(last.content).matchAll(/call:(\w+)/g)].map(([, name]) => name) : [];
    if (names.length === 0) return text(`answer ${messages.length}`);
    return calls(
      ...names.map((name = '', i): [string, { [field: string]: string }] =>
        name === 'ask_question' ? [name, { question: 'Which?' }] : [name, { sku: `s${i}` }],
      ),
    );
  });

/** Talks to a run, one thing after the other, as the seed says. `between` is called after each of them. */
async function talk(run: RunHandle<unknown>, random: Random, between: () => Promise<void>): Promise<void> {
  const heard = new Set<string>();
  const idle = () =>
    until(async () => {
      const { approvals, questions, services } = await run.waiting();
      for (const ask of approvals) {
        if (heard.has(ask.toolUseId)) continue;
        heard.add(ask.toolUseId);
        await between();
        if (random.below(2) === 0) await run.approve(ask, { by: 'ann' });
        else await run.deny(ask, { by: 'ann', reason: 'no' });
      }
      for (const question of questions) {
        if (heard.has(question.questionId)) continue;
        heard.add(question.questionId);
        await between();
        await run.answer(question, 'this');
      }
      for (const { ref, toolUseId } of services) {
        if (heard.has(ref)) continue;
        heard.add(ref);
        await between();
        await run.workflow.signal('toolResult', { toolUseId, data: { left: 7 } });
      }
      const { idle: isIdle, queued } = await run.state();
      return isIdle && queued === 0;
    }, 'an idle conversation');
  const refusable = (what: Promise<unknown>) =>
    what.catch((error: unknown) => {
      if (!(error instanceof HoldfastError)) throw error;
    });
  await idle();
  for (let i = 0; i < STEPS; i++) {
    const dice = random.below(10);
    if (dice < 6) {
      // One wait at a time: two that are answered at once may be so in either order.
      const names = random.pick([['put'], ['put', 'put'], ['pay'], ['ask'], ['ask_question'], ['put', 'ask'], []]);
      await run.send(`message ${i} ${asks(names)}`, { by: 'ann' });
    } else if (dice < 7) await refusable(run.undo(1, { by: 'ann' }));
    else if (dice < 8) await refusable(run.workflow.executeUpdate('regenerate', { args: [{}] }).catch(() => undefined));
    else if (dice < 9) await refusable(run.compact({ keep: 2 + random.below(4) }));
    else await run.rename(`title ${i}`);
    await between();
    await idle();
  }
}

async function played(moves: boolean): Promise<{ messages: Message[]; histories: number }> {
  const server = await model();
  const serverSettings = moves ? ['limit.historyCount.suggestContinueAsNew=60'] : [];
  const kit: AgentTestEnvironment = await createAgentTestEnvironment({
    agents: [agent],
    server: 'dev',
    serverSettings,
    models: { default: { baseUrl: server.url, model: 'echo', contextWindow: 8000 } },
  });
  try {
    const run = (await kit.start(agent, { input: null, id: 'same' })) as RunHandle<unknown>;
    const nudges = randomFrom(seed + 1);
    const between = async () => {
      if (moves && nudges.below(3) === 0) await run.continueAsNew();
    };
    await talk(run, randomFrom(seed), between);
    await run.workflow.executeUpdate('close', { args: [{}] });
    await run.result();
    await kit.replay(run);
    const messages = await run.transcript();
    expect(talkProblems(await factsOf(run), messages)).toEqual([]);
    return { messages, histories: (await kit.histories(run)).length };
  } finally {
    await kit.close();
    await server.close();
  }
}

/** The model counts its requests in them: a call that a busy machine repeats moves them all. */
function withoutProviderIds(messages: readonly Message[]): Message[] {
  return JSON.parse(JSON.stringify(messages, (key, value) => (key === 'providerId' ? undefined : value)));
}

test('the transcript over many histories is that of the same conversation in one', async () => {
  console.info(`SEED=${seed}`);
  const whole = await played(false);
  const moved = await played(true);
  expect(whole.histories).toBe(1);
  expect(moved.histories).toBeGreaterThan(5);
  expect(withoutProviderIds(moved.messages)).toEqual(withoutProviderIds(whole.messages));
}, 600_000);
