import { text } from 'holdfast/testing';
import { saidTexts } from '../check-talk';
import { chat, later } from './agents';
import { onEachServer, takenOf } from './stage';

onEachServer((stage) => {
  test('messages arrive before the agent is known, more than the server lets through at once', async () => {
    const texts = Array.from({ length: 12 }, (_, i) => `m${i}`);
    stage.model.script(...texts.map((one) => text(one)));
    await stage.decider.stop();
    const run = await stage.open(chat);
    const sent = Promise.all(texts.map((one) => run.send(one, { id: one })));
    const renamed = run.rename('All at once');
    await stage.decider.start();
    const exchanges = (await sent).map(({ exchange }) => exchange);
    await renamed;
    expect([...exchanges].sort((a, b) => a - b)).toEqual(texts.map((_, i) => i + 1));
    await run.close();
    await stage.whole(
      run,
      exchanges.map((_, i) => texts[exchanges.indexOf(i + 1)] as string),
    );
  });

  test('signals of all names arrive before the agent is known', async () => {
    stage.model.script(text('a'), text('b'), text('c'));
    await stage.decider.stop();
    const run = await stage.open(chat);
    const { workflow } = run;
    await workflow.signal('steer', { text: '1', when: 'now' });
    await workflow.signal('send', { text: '2', id: 'm2' });
    await workflow.signal('interrupt');
    await workflow.signal('answer', { questionId: 't1.1', answer: 'x' });
    await workflow.signal('send', { text: '2', id: 'm2' });
    await workflow.signal('undo');
    await workflow.signal('regenerate');
    await workflow.signal('close', {});
    await stage.decider.start();
    await run.result();
    const said = saidTexts(await run.transcript());
    expect([...said].sort()).toEqual(['1', '2']);
    await stage.whole(run, said);
    expect((await run.state()).ignored).toEqual({
      NothingToInterrupt: 1,
      QuestionNotFound: 1,
      NothingToUndo: 1,
      NothingToRegenerate: 1,
    });
  });

  test('messages that were taken are in the transcript of a run that is cancelled', async () => {
    stage.model.script(later(text('a')));
    const run = await stage.open(chat);
    const first = stage.model.request(1);
    await run.send('1');
    await first;
    await run.send('2', { by: 'ann' });
    await run.steer('3');
    const told = await stage.decider.atOnce(async (tell) => {
      await tell(() => run.send('4'));
      await run.cancel();
    });
    await run.result().catch(() => undefined);
    const said = saidTexts(await run.transcript());
    expect([...said].sort()).toEqual(['1', '2', '3', ...takenOf(told, ['4'])]);
    await expect(run.answerTo({ exchange: 2 })).rejects.toMatchObject({ type: 'RunEnded' });
    await expect(run.send('5')).rejects.toMatchObject({ type: 'RunEnded' });
    await stage.whole(run, said);
  });

  test('a message to a run that is cancelled before it knows its agent is refused', async () => {
    await stage.decider.stop();
    const run = await stage.open(chat);
    await run.workflow.signal('send', { text: '1' });
    const told = run.send('2').catch((error: { type: string }) => error.type);
    await run.cancel();
    await stage.decider.start();
    await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
    expect(await told).toBe('RunEnded');
    await stage.decider.kit.replay(run);
    await run.workflow.terminate().catch(() => undefined);
  });

  test('a run that was terminated takes no more commands', async () => {
    stage.model.script(text('a'));
    const run = await stage.open(chat);
    await run.answerTo(await run.send('1'));
    await run.workflow.terminate();
    const late = [run.send('2'), run.steer('3'), run.answer('t1.1', 'x'), run.interrupt(), run.close()];
    for (const end of await Promise.allSettled(late)) expect(end).toMatchObject({ reason: { type: 'RunEnded' } });
  });
});
