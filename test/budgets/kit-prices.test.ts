import { defineAgent } from 'holdfast';
import { createAgentTestEnvironment, text } from 'holdfast/testing';

it('an agent with a budget in money is tested with the scripted model, whose prices the test gives', async () => {
  const researcher = defineAgent({ name: 'priced.researcher', budget: { cost: { amount: 1, currency: 'USD' } } });
  const agents = [researcher];
  await expect(createAgentTestEnvironment({ agents })).rejects.toThrow(
    'in a test `prices` to `createAgentTestEnvironment`',
  );
  const prices = { prompt: 1, completion: 2, currency: 'USD' };
  const kit = await createAgentTestEnvironment({ agents, prices });
  try {
    kit.model.script(text('Two pages.'));
    const run = await kit.start(researcher, { input: 'How many?' });
    const { data, usage, cost } = await run.result();
    expect(data).toBe('Two pages.');
    // Prices are for a million tokens.
    const amount = (usage.prompt * 1 + usage.completion * 2) / 1_000_000;
    expect(cost).toEqual({ amount: expect.closeTo(amount, 9), currency: 'USD' });
  } finally {
    await kit.close();
  }
});
