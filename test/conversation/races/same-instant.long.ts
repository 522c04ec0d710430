import type { ConversationHandle } from 'holdfast/client';
import { call, calls, fault, text } from 'holdfast/testing';
import type { Fact } from '../../../agent/protocol/facts/fact';
import { saidTexts } from '../check-talk';
import type { Told } from '../decider';
import { brief, built, chat, falls, gate, later, SOON, task } from './agents';
import { onEachServer, takenOf } from './stage';

onEachServer((stage, server) => {
  test.each(['update', 'signal'])(
    'a message arrives by %s at the moment in which the conversation ends by itself',
    async (way) => {
      stage.model.script(text('a'), text('b'));
      const run = await stage.open(brief);
      await run.answerTo(await run.send('1'));
      const [told] = await stage.decider.atOnce(async (tell) => {
        await stage.decider.kit.skip(SOON + 100);
        await tell(() => (way === 'update' ? run.send('2') : run.workflow.signal('send', { text: '2' })));
      });
      if (way === 'update' && 'refused' in (told as Told)) expect(told).toEqual({ refused: 'RunEnded' });
      const facts = await stage.whole(run, 'taken' in (told as Told) ? ['1', '2'] : ['1']);
      expect(facts.at(-1)).toMatchObject({ type: 'loop.end', reason: 'completed' });
    },
  );

  test('commands that arrive with the close are answered or refused', async () => {
    stage.model.script(text('a'), text('b'), text('c'));
    const run = await stage.open(chat);
    const texts = ['2', '3'];
    await run.answerTo(await run.send('1'));
    const told = await stage.decider.atOnce(async (tell) => {
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
    await stage.whole(run, said);
  });

  test('answers arrive with the expiry of their question, and with one another', async () => {
    const asks = () => call('ask_question', { question: 'Well?' });
    const typed = call('ask_question', { question: 'How many?', answer_schema: { type: 'integer' } });
    stage.model.script(asks(), call('ask_number', { question: 'How many?' }), typed, text('done'));
    const run = await stage.decider.kit.start(task, { input: 'go' });
    const answered = async (id: string, late: boolean, ...answers: unknown[]) => {
      await run.waiting({ atLeast: { questions: 1 } });
      return stage.decider.atOnce(async (tell) => {
        if (late) await stage.decider.kit.skip(SOON + 100);
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
    const facts = await stage.whole(run, ['go']);
    expect(facts.filter(({ type }) => type === 'question.asked')).toHaveLength(3);
  });

  test('a message to a task waits, and its models fail: its own answer follows', async () => {
    stage.model.script(later(fault({ kind: 'status', status: 401 })), later(fault({ kind: 'status', status: 401 })));
    const run = await stage.decider.kit.start(falls, { input: 'go' });
    await stage.model.request(1);
    await run.send('2');
    gate.open();
    await run.result();
    await stage.whole(run, ['go', '2']);
  });

  // The server that skips time never ends a task that cancels an activity which has just completed.
  if (server === 'dev') {
    test.each([
      ['conversation', chat],
      ['task', task],
    ] as const)('a %s is steered at the moment of its last answer', async (_, agent) => {
      stage.model.script(later(text('a')), text('b'), text('c'));
      const run = (await stage.decider.kit.start(agent as typeof chat, { input: null })) as ConversationHandle<unknown>;
      const first = stage.model.request(1);
      if (agent === chat) await run.send('1');
      await first;
      const told = await stage.decider.atOnce(async (tell) => {
        gate.open();
        await stage.decider.quiet(run);
        await tell(() => run.steer('2', { when: 'now' }));
      });
      expect(told).toMatchObject([{ taken: { exchange: 1 } }]);
      if (agent === chat) await run.close();
      const facts = await stage.whole(run, [agent === chat ? '1' : 'null', '2']);
      expect(facts.filter(({ type }) => type === 'text.withdrawn').length).toBeLessThanOrEqual(1);
    });

    test.each([
      ['the model', chat, [later(text('a'))], 0],
      ['the output builder', built, [text('a')], 1],
      ['a tool', chat, [calls(['slow'], ['look']), text('b')], 1],
    ] as const)('an interrupt arrives with the answer of %s', async (_, agent, script, done) => {
      stage.model.script(...script);
      const run = await stage.open(agent as typeof chat);
      const first = stage.model.request(1);
      const taken = await run.send('1');
      const request = await first;
      if (done === 1) for await (const fact of run.facts()) if (fact.type === 'usage') break;
      expect(request).toBeDefined();
      const told = await stage.decider.atOnce(async (tell) => {
        gate.open();
        await stage.decider.quiet(run);
        await tell(() => run.interrupt({ by: 'ann' }));
      });
      const interrupted = 'taken' in (told[0] as Told);
      if (!interrupted) expect(told).toEqual([{ refused: 'NothingToInterrupt' }]);
      expect((await run.answerTo(taken)).reason).toBe(interrupted ? 'interrupted' : 'completed');
      await run.close();
      await stage.whole(run, ['1']);
    });
  }

  test.each(['update', 'signal'])(
    'facts keep their numbers when an %s comes between the results of a batch',
    async (way) => {
      stage.model.script(calls(['look'], ['slow']), text('a'));
      const run = await stage.decider.kit.start(task, { input: 'go' });
      const before: Fact[] = [];
      for await (const fact of run.facts()) {
        before.push(fact);
        if (fact.type === 'tool.result') break;
      }
      if (way === 'update') await run.send('2');
      else await run.workflow.signal('send', { text: '2' });
      for await (const fact of run.facts({ after: before.length })) {
        before.push(fact);
        if (fact.type === 'message.received') break;
      }
      gate.open();
      // The server that skips time makes a workflow task of each query that meets another task. Those leave no command, and
      // core plays such tasks as one, at the time of the last: a signal before them gets a later time.
      const moves = server === 'time-skipping' && way === 'signal';
      const last = moves ? [{ ...before.at(-1), time: expect.any(Number) }] : before.slice(-1);
      const after = (await stage.whole(run, ['go', '2'])).slice(0, before.length);
      expect(after).toEqual([...before.slice(0, -1), ...last]);
    },
  );
});
