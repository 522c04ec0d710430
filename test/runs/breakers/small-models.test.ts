import { call, calls, text } from 'holdfast/testing';
import { move } from '../../chains/move';
import { factsOf, waitForFact } from '../../facts';
import { asker, breakersIn, fallback, openBreakers, plain, ran, saying, schema, small, talk, times } from './breakers';

const stage = openBreakers();

describe('small models', () => {
  test('a call that was just made is skipped; twice in a row, and the model concludes without tools', async () => {
    const last = saying('I saw it');
    stage.kit.model.script(...times(3, call('look', { n: 1 })), last.step);
    const { data, facts } = await stage.ended(small);
    expect(data).toBe('I saw it');
    expect(ran).toEqual(['look 1']);
    expect(breakersIn(facts)).toEqual(['breaker.skipped', 'breaker.skipped', 'breaker.stopped']);
    expect(last.asked[0]).not.toHaveProperty('tools');
    expect(last.asked[0]).not.toHaveProperty('tool_choice');
  });

  test('two calls that alternate are the same calls again, also those that run with the answer', async () => {
    stage.kit.model.script(...times(2, call('peek', { n: 1 }), call('peek', { n: 2 })), text('Both seen'));
    const { data, facts } = await stage.ended(small);
    expect(data).toBe('Both seen');
    expect(ran).toEqual(['look 1', 'look 2']);
    expect(breakersIn(facts)).toEqual(['breaker.skipped', 'breaker.skipped', 'breaker.stopped']);
    expect(facts.filter(({ type }) => type === 'result.dropped')).toEqual([]);
  });

  test('after a change a model may look again, and a change may be made again after something else', async () => {
    const steps = times(3, call('look', { n: 1 }), call('set', { n: 1 }));
    stage.kit.model.script(...steps, text('All done'));
    const { facts } = await stage.ended(small);
    expect(ran).toEqual(times(3, 'look 1' as never, 'set 1' as never));
    expect(breakersIn(facts)).toEqual([]);
  });

  test('two equal calls of one answer run once', async () => {
    stage.kit.model.script(calls(['set', { n: 1 }], ['set', { n: 1 }], ['set', { n: 2 }]), text('All done'));
    const { facts } = await stage.ended(small);
    expect(ran.sort()).toEqual(['set 1', 'set 2']);
    expect(breakersIn(facts)).toEqual(['breaker.skipped']);
  });

  test('a tool that fails three times is withdrawn: it stays in the request, and its calls do not run', async () => {
    const last = saying('It failed');
    stage.kit.model.script(...[1, 2, 3, 4].map((n) => call('fail', { n })), last.step);
    const { facts } = await stage.ended(small);
    expect(ran).toEqual(['fail 1', 'fail 2', 'fail 3']);
    expect(breakersIn(facts)).toEqual(['breaker.hinted', 'breaker.withdrawn', 'breaker.hinted']);
    expect(last.asked[0]?.tools).toHaveLength(5);
    const read = last.asked[0]?.messages.map(({ content }) => String(content)) ?? [];
    expect(read).toContainEqual(expect.stringMatching(/^`fail` was not run: it is withdrawn/));
    expect(read.at(-1)).toMatch(/These tools exist: look, peek, set, crash\./);
  });

  test('a model that fails with every tool, whatever it tries, is stopped when no call can run', async () => {
    const tries = [1, 2, 3].flatMap((n) => [call('fail', { n }), call('crash', { n })]);
    stage.kit.model.script(...tries, call('fail', { n: 8 }), call('crash', { n: 9 }), text('Nothing works'));
    const { data, facts } = await stage.ended(small);
    expect(data).toBe('Nothing works');
    expect(ran).toHaveLength(6);
    expect(breakersIn(facts).at(-1)).toBe('breaker.stopped');
  });

  test('names are repaired, and what was written is a fact', async () => {
    stage.kit.model.script(
      calls(['functions.set', { n: 1 }], ['lok', { n: 2 }], ['Look', { n: '3' }]),
      text('All done'),
    );
    const { facts } = await stage.ended(small);
    expect(ran.sort()).toEqual(['look 3', 'set 1']);
    expect(facts.flatMap((fact) => (fact.type === 'tool.repaired' ? [[fact.from, fact.name, fact.how]] : []))).toEqual([
      ['functions.set', 'set', 'unprefixed'],
      ['Look', 'look', 'unprefixed'],
    ]);
    stage.kit.model.reset();
    stage.kit.model.script(call('functions.set', { n: 1 }), text('no'));
    expect((await stage.ended(plain)).facts).toContainEqual(
      expect.objectContaining({ type: 'tool.error', error: expect.objectContaining({ type: 'UnknownTool' }) }),
    );
  });
});

describe('a silent model', () => {
  test('is asked once more, then for a summary without tools, and a fixed text is the answer', async () => {
    const last = saying('');
    stage.kit.model.script(call('look', { n: 1 }), text(''), text(' \n'), last.step);
    const { data, facts } = await stage.ended(small);
    expect(data).toMatch(/^The model gave no answer/);
    expect(breakersIn(facts)).toEqual(['answer.nudged', 'breaker.stopped', 'answer.replaced']);
    expect(last.asked[0]).not.toHaveProperty('tools');
  });

  test('may go on after the first nudge, and is then asked again', async () => {
    stage.kit.model.script(text(''), call('look', { n: 1 }), text(''), text('seen'));
    const { data, facts } = await stage.ended(small);
    expect(data).toBe('seen');
    expect(breakersIn(facts)).toEqual(['answer.nudged', 'answer.nudged']);
  });

  test('gives the fallback answer of its agent, or fails where a text does not fit', async () => {
    stage.kit.model.script(...times(3, text('')));
    expect((await stage.ended(fallback)).data).toEqual({ n: 0 });
    stage.kit.model.reset();
    stage.kit.model.script(...times(3, text('')));
    expect((await stage.ended(schema)).error).toMatchObject({ type: 'NoProgress', data: { why: 'silent' } });
  });

  test('of another class is told that its output is invalid, as ever', async () => {
    stage.kit.model.script(...times(3, text('')));
    expect((await stage.ended(plain)).error).toMatchObject({ type: 'OutputInvalid' });
  });
});

test('the next message of a person resets the counts, and brings back tools that were withdrawn', async () => {
  stage.kit.model.script(
    ...[1, 2, 3].map((n) => call('fail', { n })),
    text('failed'),
    call('fail', { n: 4 }),
    text('again'),
  );
  const run = await stage.kit.start(talk, { input: null });
  await run.answerTo(await run.send('go'));
  await run.answerTo(await run.send('try again'));
  expect(ran).toHaveLength(4);
  await run.close();
  await run.result();
  await stage.kit.replay(run);
});

test('what breakers have counted goes with a run into a new history', async () => {
  stage.kit.model.script(call('fail', { n: 1 }), call('fail', { n: 2 }), call('ask_question', { question: 'Go on?' }));
  stage.kit.model.script(call('fail', { n: 3 }), call('fail', { n: 4 }), text('It failed'));
  const run = await stage.kit.start(asker, { input: 'go' });
  const { questionId } = await waitForFact(run, 'question.asked');
  await move(stage.kit, run);
  await run.answer(questionId, 'Yes');
  expect((await run.result()).data).toBe('It failed');
  expect(ran).toEqual(['fail 1', 'fail 2', 'fail 3']);
  expect(await factsOf(run, 'breaker.withdrawn')).toMatchObject([{ name: 'fail', times: 3 }]);
});
