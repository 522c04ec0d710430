import { defineAgent, defineTool } from 'holdfast';
import { call, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { tokensOf } from '../../context-window/tokens';
import { factsOf, waitForFact } from '../../facts';
import type { ChatRequest } from '../../kit/model-reply';
import { until } from '../../until';
import { stageOfModels } from './models-stage';

const words = (times: number) => 'the quick brown fox jumps over the lazy dog. '.repeat(times);
/** About 4,000 tokens: almost all of what may be sent to the small model. */
const huge = defineTool({
  description: 'Returns a text of 17 KB',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => words(420),
});
/** More than the small model can read at all. */
const vast = defineTool({ ...huge, description: 'Returns a text of 28 KB', execute: () => words(640) });
const about = { instructions: 'Read on.', tools: { huge, vast } } as const;
const output = z.object({ sum: z.number() });
const chain = defineAgent({ name: 'larger.chain', ...about, model: ['small', 'large'] });
const unknown = defineAgent({ name: 'larger.unknown', ...about, model: ['small', 'any'] });
const same = defineAgent({ name: 'larger.same', ...about, model: ['small', 'twin'] });
const careful = defineAgent({ name: 'larger.careful', ...about, model: ['small', 'twin'], fallbackAnswer: 'Call us.' });
const alone = defineAgent({ name: 'larger.alone', ...about, model: 'small' });
const typed = defineAgent({ name: 'larger.typed', ...about, model: 'small', outputSchema: output });
const talk = defineAgent({ name: 'larger.talk', ...about, model: ['small', 'large'], mode: 'conversation' });

const { servers, kit } = stageOfModels({
  names: ['small', 'twin', 'large', 'any'],
  agents: [chain, unknown, same, careful, alone, typed, talk],
  configs: {
    small: { contextWindow: 8000 },
    twin: { contextWindow: 8000 },
    large: { contextWindow: 20_000 },
  },
});
const { small, twin, large, any } = servers;
const tooLong = fault({ kind: 'status', status: 400, code: 'context_length_exceeded' });
/** Calls a tool, with the usage that a server would report. */
const reads =
  (tool: string) =>
  ({ request }: { request: ChatRequest }) => ({
    ...call(tool, {}),
    usage: { prompt: tokensOf(request), completion: 20 },
  });
const anHour = fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });

describe('a chain with a larger window behind', () => {
  it('goes on there with what does not fit', async () => {
    small.script(reads('vast'));
    large.script(text('read it'));
    const run = await kit().start(chain, { input: 'read' });
    expect((await run.result()).data).toBe('read it');
    expect(await factsOf(run, 'model.switched')).toMatchObject([
      { turn: 2, from: 'small', to: 'large', why: 'failed', error: { type: 'ModelContextTooLong' } },
    ]);
    await kit().replay(run);
  });

  it('goes on there with its tools where the window is almost full, instead of concluding', async () => {
    small.script(reads('huge'));
    large.script(reads('huge'), text('read it all'));
    const run = await kit().start(chain, { input: 'read' });
    expect((await run.result()).data).toBe('read it all');
    expect(large.requests.map(({ body }) => body.tool_choice)).toEqual([undefined, undefined]);
    expect(await factsOf(run, 'context.full')).toEqual([]);
    expect(await run.state()).toMatchObject({ turn: 3, toolInteractions: { current: 3 } });
    await kit().replay(run);
  });

  it('goes on there where the server refuses what cannot become shorter', async () => {
    small.script(tooLong);
    large.script(text('read it'));
    const run = await kit().start(chain, { input: 'read' });
    expect((await run.result()).data).toBe('read it');
    await kit().replay(run);
  });

  it('takes a message there that is too large for the first model', async () => {
    large.script(text('read it'));
    const run = kit().conversation(talk, { id: 'larger-message' });
    expect((await run.answerTo(await run.send(words(700)))).data).toBe('read it');
    expect(small.requests).toHaveLength(0);
    await expect(run.send(words(2500))).rejects.toMatchObject({
      type: 'MessageTooLarge',
      data: { window: 20_000 },
    });
    await run.close();
    await run.result();
    await kit().replay(run);
  });
});

it('a model whose window is unknown takes what does not fit the others: its server decides', async () => {
  small.script(reads('vast'));
  any.script(text('read it'));
  const run = await kit().start(unknown, { input: 'read' });
  expect((await run.result()).data).toBe('read it');
  await kit().replay(run);
});

describe('a chain of equal windows', () => {
  it('concludes with the model in use where the window is almost full', async () => {
    small.script(reads('huge'), text('so far'));
    const run = await kit().start(same, { input: 'read' });
    expect((await run.result()).data).toBe('so far');
    expect(small.requests.at(-1)?.body.tool_choice).toBe('none');
    expect(twin.requests).toHaveLength(0);
    await kit().replay(run);
  });

  it('ends with what the last model says of what does not fit, or with the static answer', async () => {
    small.script(reads('vast'), reads('vast'));
    const run = await kit().start(same, { input: 'read' });
    await expect(run.result()).rejects.toMatchObject({ type: 'ModelContextTooLong', data: { model: 'twin-model' } });
    const other = await kit().start(careful, { input: 'read' });
    expect((await other.result()).data).toBe('Call us.');
    expect(twin.requests).toHaveLength(0);
  });
});

describe('a conclusion for want of room', () => {
  it('is withdrawn by a switch to a larger window: the run goes on with its tools', async () => {
    small.script(reads('huge'), anHour);
    large.script(reads('huge'), text('read it all'));
    const run = await kit().start(alone, { input: 'read' });
    await waitForFact(run, 'context.full');
    await until(async () => (await run.state()).outage?.nextAt !== undefined, 'the run to wait for its model');
    await run.switchModel('large');
    expect((await run.result()).data).toBe('read it all');
    const [first] = large.requests;
    expect(first?.body.tool_choice).toBeUndefined();
    expect(first?.body.messages.at(-1)).toMatchObject({ role: 'user', content: expect.stringMatching(/go on/i) });
    expect(await run.state()).toMatchObject({ turn: 3, toolInteractions: { current: 3 } });
    await kit().replay(run);
  });

  it('is asked for again where the other window is full as well', async () => {
    small.script(reads('huge'), anHour);
    twin.script(text('so far'));
    const run = await kit().start(alone, { input: 'read' });
    await waitForFact(run, 'context.full');
    await until(async () => (await run.state()).outage?.nextAt !== undefined, 'the run to wait for its model');
    await run.switchModel('twin');
    expect((await run.result()).data).toBe('so far');
    expect(twin.requests.map(({ body }) => body.tool_choice)).toEqual(['none']);
    expect(await run.state()).toMatchObject({ turn: 2, toolInteractions: { current: 1 } });
    await kit().replay(run);
  });

  it('that gives no valid output is not the end after a switch during it', async () => {
    const asked = small.requests.length;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    small.script(reads('huge'), async () => {
      await held;
      return text('no JSON');
    });
    large.script(reads('huge'), text('{"sum":3}'));
    const run = await kit().start(typed, { input: 'read' });
    await small.request(asked + 2);
    await run.switchModel('large');
    release();
    expect((await run.result()).data).toEqual({ sum: 3 });
    await kit().replay(run);
  });
});
