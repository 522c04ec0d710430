import { RulesClock } from '../../../activities/approvals/rules-clock';
import { collectGarbage } from '../../measure/collect-garbage';

it('keeps nothing of rules that have been asked', async () => {
  const ask = async () => {
    const rule = { asked: false };
    const clock = new RulesClock(new AbortController().signal);
    await clock.race(async () => {
      rule.asked = true;
    });
    clock.stop();
    return new WeakRef(rule);
  };
  const left = await ask();
  await collectGarbage();
  expect(left.deref()).toBeUndefined();
});
