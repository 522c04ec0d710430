import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { type Figures, growth, longRunner, runTurns } from './long-run';

const MB = 1024 * 1024;

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [longRunner], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('completes a run of 1,000 turns with 2 KB a turn, whose history grows evenly', async () => {
  const figures = await runTurns(kit, { turns: 1000, args: 1024, result: 1024, weighAt: [100, 200, 300, 400, 900] });
  report(figures);
  expect(Math.abs(growth(figures, 300, 400) / growth(figures, 100, 200) - 1)).toBeLessThan(0.05);
  expect(Math.abs(growth(figures, 400, 900) / growth(figures, 100, 200) - 1)).toBeLessThan(0.05);
  expect(figures.bytes).toBeLessThan(10 * MB);
});

it('completes a run of 200 turns with 30 KB a turn', async () => {
  const figures = await runTurns(kit, { turns: 200, args: 15_000, result: 15_000, weighAt: [20, 60, 140, 180] });
  report(figures);
  expect(Math.abs(growth(figures, 140, 180) / growth(figures, 20, 60) - 1)).toBeLessThan(0.05);
  expect(figures.bytes).toBeLessThan(20 * MB);
});

function report({ turns, msPerTurn, drift, events, bytes }: Figures): void {
  const said = [`${msPerTurn.toFixed(1)} ms a turn`, `drift ${drift.toFixed(2)}`, `${events} events`, `${bytes} bytes`];
  process.stdout.write(`${turns} turns: ${said.join(', ')}\n`);
}
