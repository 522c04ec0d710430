import { closeAfterTest } from '../close-after-test';
import { call, calls, fault, ScriptedModel, text } from '../kit/scripted-model';
import { chunks, contentOf, post } from './served';

const script = async (...steps: ConstructorParameters<typeof ScriptedModel>): Promise<ScriptedModel> =>
  closeAfterTest(await new ScriptedModel(...steps).start());

describe('ScriptedModel', () => {
  test('takes its steps in order, faults included, and records the requests', async () => {
    const model = await script(fault({ kind: 'status', status: 503 }), text('ok'));
    model.script(({ request, number }) => text(`${request.model} ${number}`));
    expect((await post(model.url)).status).toBe(503);
    expect(() => model.assertDone()).toThrow('2 of its 3 steps left');
    expect(contentOf(await chunks(model.url))).toBe('ok');
    expect(contentOf(await chunks(model.url))).toBe('m 3');
    expect(() => model.assertDone()).not.toThrow();
    expect(model.requests.map((request) => request.body.messages)).toEqual(
      Array(3).fill([{ role: 'user', content: 'hi' }]),
    );
  });

  test('refuses a request past its end by name', async () => {
    const model = await script(text('only'));
    await post(model.url);
    const response = await post(model.url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'script_exhausted', message: 'The script has 1 steps and this is request 2' },
    });
  });

  test('a step that throws is a 400 that names the problem', async () => {
    const model = await script(() => {
      throw new Error('wrong expectation');
    });
    const response = await post(model.url);
    expect(response.status).toBe(400);
    expect((await response.json()) as object).toMatchObject({
      error: { code: 'answer_threw', message: 'Error: wrong expectation' },
    });
  });

  test('step makers build what their names say', () => {
    expect(call('a', { x: 1 }, { id: 'i', text: 'now' })).toEqual({
      text: 'now',
      calls: [{ name: 'a', arguments: { x: 1 }, id: 'i' }],
    });
    expect(calls(['a'], ['b', '{', { id: '' }])).toEqual({
      calls: [
        { name: 'a', arguments: {} },
        { name: 'b', arguments: '{', id: '' },
      ],
    });
  });
});
