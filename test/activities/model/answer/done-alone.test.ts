import type { ServerModel } from '../../../../agent/model/config';
import type { JsonObject } from '../../../../agent/values/json';
import { ask, configOf, delta, end, failureOf, model } from '../asking';
import { lookup } from '../lookup';

const DONE = 'data: [DONE]\n\n';
const hello = delta({ content: 'Hello.' });
const callOf = (args: string) =>
  delta({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'look_up', arguments: args } }] });

/** A model whose server sends these streams one after the other. Its adapter is that of a worker: one for all calls. */
async function serving(...streams: (readonly (JsonObject | string)[])[]): Promise<ServerModel> {
  return configOf(await model(...streams.map((raw) => ({ raw: [...raw] }))));
}

const asked = (config: ServerModel) => ask(config, { tools: [lookup] });
const UNFINISHED = { type: 'ModelUnavailable', nonRetryable: false };

describe('a stream that ends with [DONE], but without a finish reason', () => {
  it('is broken off the first time, and has ended the second time: its server never names a reason', async () => {
    const config = await serving([hello, DONE], [hello, DONE], [hello, DONE]);
    const failure = await failureOf(asked(config));
    expect(failure).toMatchObject(UNFINISHED);
    expect(failure.message).toContain('its stream ended with `[DONE]`, but without a `finish_reason`');
    expect(await asked(config)).toMatchObject({ parts: [{ text: 'Hello.' }], finishReason: 'stop' });
    expect(await asked(config)).toMatchObject({ parts: [{ text: 'Hello.' }], finishReason: 'stop' });
  });

  it('has ended with whole calls', async () => {
    const config = await serving([hello, DONE], [callOf('{"q":"x"}'), DONE]);
    await failureOf(asked(config));
    const { toolRequests, finishReason } = await asked(config);
    expect(finishReason).toBe('tool_calls');
    expect(toolRequests).toMatchObject([{ name: 'look_up', input: { q: 'x' } }]);
  });

  it.each(['', '{"q":', '{"q":"x"'])('is broken off in a call with half of its arguments: %j', async (args) => {
    const config = await serving([hello, DONE], [callOf(args), DONE]);
    await failureOf(asked(config));
    expect(await failureOf(asked(config))).toMatchObject(UNFINISHED);
  });

  it.each([
    ['of a server that names the reason otherwise', [hello, end(), DONE], [hello, DONE]],
    ['that is empty', [hello, DONE], [delta({ role: 'assistant' }), DONE]],
    ['that has only reasoning', [hello, DONE], [delta({ reasoning_content: 'Hm.' }), DONE]],
    ['without [DONE]', [hello, DONE], [hello]],
  ])('is broken off each time: one %s', async (_, first, later) => {
    const config = await serving(first, later, later);
    await asked(config).catch(() => undefined);
    for (const _again of [1, 2]) expect(await failureOf(asked(config))).toMatchObject(UNFINISHED);
  });

  it('has ended where the server names only that the length is used up', async () => {
    const config = await serving([hello, end('length'), DONE], [hello, DONE], [hello, DONE]);
    expect(await asked(config)).toMatchObject({ finishReason: 'length' });
    await failureOf(asked(config));
    expect(await asked(config)).toMatchObject({ finishReason: 'stop' });
  });
});
