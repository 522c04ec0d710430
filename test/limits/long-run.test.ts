import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { growth, longRunner, runTurns } from './long-run';

const MB = 1024 * 1024;

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [longRunner], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('adds the same number of bytes and 12 events with every turn of 2 KB', async () => {
  const figures = await runTurns(kit, { turns: 120, args: 1024, result: 1024, weighAt: [20, 60, 80, 120] });
  expect(Math.abs(growth(figures, 80, 120) / growth(figures, 20, 60) - 1)).toBeLessThan(0.05);
  expect(growth(figures, 20, 120)).toBeLessThan(9 * 1024);
  expect(figures.events).toBeLessThan(12 * 121 + 30);
});

it('adds the same number of bytes with every turn of 30 KB', async () => {
  const figures = await runTurns(kit, { turns: 60, args: 15_000, result: 15_000, weighAt: [10, 30, 40, 60] });
  expect(Math.abs(growth(figures, 40, 60) / growth(figures, 10, 30) - 1)).toBeLessThan(0.05);
  // The whole transcript in every call would be 2 MB in the last call alone, and 54 MB in all.
  expect(figures.bytes).toBeLessThan(6 * MB);
});
