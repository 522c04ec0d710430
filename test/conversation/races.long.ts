import type { RunHandle } from 'holdfast/client';
import { call, calls, fault, text } from 'holdfast/testing';
import type { Fact } from '../../agent/protocol/fact';
import { saidTexts, talkProblems } from './check-talk';
import { Decider, factsOf, type Told } from './decider';
import { brief, built, chat, falls, gate, later, SOON, shut, task } from './races-agents';

// Without memory on the server that skips time, and with it on the real one.
describe.each([
  ['time-skipping', 0],
  ['dev', 100],
] as const)('on the %s server, with %d runs in memory', (server, cache) => {
  let decider: Decider;
  beforeAll(async () => {
    decider = await Decider.open({ agents: [chat, brief, task, falls, built], server }, cache);
  });
  afterAll(() => decider.close());
  beforeEach(shut);
  afterEach(() => decider.kit.model.reset());

  const open = (agent: typeof chat) => decider.kit.start(agent, { input: null }) as Promise<RunHandle<unknown>>;

  /** A run that has ended is whole, on another worker as well, and holds just these texts of persons. */
  async function whole(run: RunHandle<unknown>, texts: string[]): Promise<Fact[]> {
    await run.result().catch(() => undefined);
    const facts = await factsOf(run);
    const messages = await run.transcript();
    expect(talkProblems(facts, messages)).toEqual([]);
    expect(saidTexts(messages)).toEqual(texts);
    await decider.kit.replay(run);
    await decider.stop();
    await decider.start();
    expect(await factsOf(run)).toEqual(facts);
    return facts;
  }

  /** The texts of those that were taken. */
  const takenOf = (told: Told[], texts: string[]) => texts.filter((_, i) => 'taken' in (told[i] as Told));

  test.each(['update', 'signal'])(
    'a message comes by %s in the instant in which the conversation ends by itself',
    async (kind) => {
      decider.kit.model.script(text('a'), text('b'));
      const run = await open(brief);
      await run.answerTo(await run.send('1'));
      const [told] = await decider.atOnce(async (tell) => {
        await decider.kit.skip(SOON + 100);
        await tell(() => (kind === 'update' ? run.send('2') : run.workflow.signal('send', { text: '2' })));
      });
      if (kind === 'update' && 'refused' in (told as Told)) expect(told).toEqual({ refused: 'RunEnded' });
      const facts = await whole(run, 'taken' in (told as Told) ? ['1', '2'] : ['1']);
      expect(facts.at(-1)).toMatchObject({ type: 'loop.end', reason: 'completed' });
    },
  );

  test('what comes with the close is answered or refused', async () => {
    decider.kit.model.script(text('a'), text('b'), text('c'));
    const run = await open(chat);
    const texts = ['2', '3'];
    await run.answerTo(await run.send('1'));
    const told = await decider.atOnce(async (tell) => {
      await tell(() => run.send('2'));
      await tell(() => run.send('3'));
      await tell(() => run.close());
      await tell(() => run.regenerate());
    });
    expect(told[2]).toMatchObject({ taken: { ahead: takenOf(told, texts).length } });
    expect(told[3]).toEqual({ refused: expect.stringMatching(/RunEnded|NothingToRegenerate/) });
    for (const one of told.slice(0, 2)) if ('refused' in one) expect(one.refused).toBe('RunEnded');
    await run.result();
    const said = saidTexts(await run.transcript());
    expect([...said].sort()).toEqual(['1', ...takenOf(told, texts)]);
    await whole(run, said);
  });

  test('answers come with the expiry of their question, and with one another', async () => {
    const asks = () => call('ask_question', { question: 'Well?' });
    const typed = call('ask_question', { question: 'How many?', answer_schema: { type: 'integer' } });
    decider.kit.model.script(asks(), call('ask_number', { question: 'How many?' }), typed, text('done'));
    const run = await decider.kit.start(task, { input: 'go' });
    const answered = async (id: string, late: boolean, ...answers: unknown[]) => {
      await run.questions({ atLeast: 1 });
      return decider.atOnce(async (tell) => {
        if (late) await decider.kit.skip(SOON + 100);
        for (const answer of answers) await tell(() => run.answer(id, answer as string));
      });
    };
    for (const [id, late, answers] of [
      ['t1.1', true, ['one', 'two']],
      ['t2.1', false, [1, 'x', 2]],
      ['t3.1', true, [1]],
    ] as const) {
      const told = await answered(id, late, ...answers);
      const taken = told.filter((one) => 'taken' in one);
      expect(taken.length).toBeLessThanOrEqual(1);
      const refused = told.flatMap((one) => ('refused' in one ? one.refused : []));
      for (const type of refused) expect(type).toMatch(/^(QuestionClosed|QuestionExpired|InvalidReply|RunEnded)$/);
      if (!late) expect(taken).toHaveLength(1);
    }
    const facts = await whole(run, ['"go"']);
    expect(facts.filter(({ type }) => type === 'question.asked')).toHaveLength(3);
  });

  test('a message to a task waits, and its models fail: the answer of its own follows it', async () => {
    decider.kit.model.script(
      later(fault({ kind: 'status', status: 401 })),
      later(fault({ kind: 'status', status: 401 })),
    );
    const run = await decider.kit.start(falls, { input: 'go' });
    await decider.kit.model.request(1);
    await run.send('2');
    gate.open();
    await run.result();
    await whole(run, ['"go"', '2']);
  });

  // The server that skips time never ends a task that cancels an activity which has just completed.
  if (server === 'dev') {
    test.each([
      ['conversation', chat],
      ['task', task],
    ] as const)('a %s is steered in the instant of its last answer', async (_, agent) => {
      decider.kit.model.script(later(text('a')), text('b'), text('c'));
      const run = (await decider.kit.start(agent as typeof chat, { input: null })) as RunHandle<unknown>;
      const first = decider.kit.model.request(1);
      if (agent === chat) await run.send('1');
      await first;
      const told = await decider.atOnce(async (tell) => {
        gate.open();
        await decider.quiet(run);
        await tell(() => run.steer('2', { when: 'now' }));
      });
      expect(told).toMatchObject([{ taken: { exchange: 1 } }]);
      if (agent === chat) await run.close();
      const facts = await whole(run, [agent === chat ? '1' : 'null', '2']);
      expect(facts.filter(({ type }) => type === 'text.withdrawn').length).toBeLessThanOrEqual(1);
    });

    test.each([
      ['the model', chat, [later(text('a'))], 0],
      ['the output builder', built, [text('a')], 1],
      ['a tool', chat, [calls(['slow'], ['look']), text('b')], 1],
    ] as const)('an interrupt comes with the answer of %s', async (_, agent, script, done) => {
      decider.kit.model.script(...script);
      const run = await open(agent as typeof chat);
      const first = decider.kit.model.request(1);
      const taken = await run.send('1');
      const request = await first;
      if (done === 1) for await (const fact of run.facts()) if (fact.type === 'usage') break;
      expect(request).toBeDefined();
      const told = await decider.atOnce(async (tell) => {
        gate.open();
        await decider.quiet(run);
        await tell(() => run.interrupt({ by: 'ann' }));
      });
      const interrupted = 'taken' in (told[0] as Told);
      if (!interrupted) expect(told).toEqual([{ refused: 'NothingToInterrupt' }]);
      expect((await run.answerTo(taken)).reason).toBe(interrupted ? 'interrupted' : 'completed');
      await run.close();
      await whole(run, ['1']);
    });
  }

  test('messages come before anybody knows the agent, more than the server lets through at once', async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `m${i}`);
    decider.kit.model.script(...texts.map((one) => text(one)));
    await decider.stop();
    const run = await open(chat);
    const sent = Promise.all(texts.map((one) => run.send(one, { id: one })));
    const renamed = run.rename('All at once');
    await decider.start();
    const exchanges = (await sent).map(({ exchange }) => exchange);
    await renamed;
    expect([...exchanges].sort((a, b) => a - b)).toEqual(texts.map((_, i) => i + 1));
    await run.close();
    await whole(
      run,
      exchanges.map((_, i) => texts[exchanges.indexOf(i + 1)] as string),
    );
  });

  test('signals of all names come before anybody knows the agent', async () => {
    decider.kit.model.script(text('a'), text('b'), text('c'));
    await decider.stop();
    const run = await open(chat);
    const { workflow } = run;
    await workflow.signal('steer', { text: '1', when: 'now' });
    await workflow.signal('send', { text: '2', id: 'm2' });
    await workflow.signal('interrupt');
    await workflow.signal('answer', { questionId: 't1.1', answer: 'x' });
    await workflow.signal('send', { text: '2', id: 'm2' });
    await workflow.signal('undo');
    await workflow.signal('regenerate');
    await workflow.signal('close', {});
    await decider.start();
    await run.result();
    const said = saidTexts(await run.transcript());
    expect([...said].sort()).toEqual(['1', '2']);
    await whole(run, said);
    expect((await run.state()).ignored).toEqual({
      NothingToInterrupt: 1,
      QuestionNotFound: 1,
      NothingToUndo: 1,
      NothingToRegenerate: 1,
    });
  });

  test('messages that were taken stand in the transcript of a run that is cancelled', async () => {
    decider.kit.model.script(later(text('a')));
    const run = await open(chat);
    const first = decider.kit.model.request(1);
    await run.send('1');
    await first;
    await run.send('2', { by: 'ann' });
    await run.steer('3');
    const told = await decider.atOnce(async (tell) => {
      await tell(() => run.send('4'));
      await run.cancel();
    });
    await run.result().catch(() => undefined);
    const said = saidTexts(await run.transcript());
    expect([...said].sort()).toEqual(['1', '2', '3', ...takenOf(told, ['4'])]);
    await expect(run.answerTo({ exchange: 2 })).rejects.toMatchObject({ type: 'RunEnded' });
    await expect(run.send('5')).rejects.toMatchObject({ type: 'RunEnded' });
    await whole(run, said);
  });

  test('a message to a run that is cancelled before it knows its agent is refused', async () => {
    await decider.stop();
    const run = await open(chat);
    await run.workflow.signal('send', { text: '1' });
    const told = run.send('2').catch((error: { type: string }) => error.type);
    await run.cancel();
    await decider.start();
    await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
    expect(await told).toBe('RunEnded');
    await decider.kit.replay(run);
    await run.workflow.terminate().catch(() => undefined);
  });

  test('a run that was terminated takes nothing any more', async () => {
    decider.kit.model.script(text('a'));
    const run = await open(chat);
    await run.answerTo(await run.send('1'));
    await run.workflow.terminate();
    const late = [run.send('2'), run.steer('3'), run.answer('t1.1', 'x'), run.interrupt(), run.close()];
    for (const end of await Promise.allSettled(late)) expect(end).toMatchObject({ reason: { type: 'RunEnded' } });
  });

  test.each(['update', 'signal'])(
    'facts keep their numbers where an %s comes between the results of a batch',
    async (kind) => {
      decider.kit.model.script(calls(['look'], ['slow']), text('a'));
      const run = await decider.kit.start(task, { input: 'go' });
      const before: Fact[] = [];
      for await (const fact of run.facts()) {
        before.push(fact);
        if (fact.type === 'tool.result') break;
      }
      if (kind === 'update') await run.send('2');
      else await run.workflow.signal('send', { text: '2' });
      for await (const fact of run.facts({ after: before.length })) {
        before.push(fact);
        if (fact.type === 'message.received') break;
      }
      gate.open();
      expect((await whole(run, ['"go"', '2'])).slice(0, before.length)).toEqual(before);
    },
  );
});
