import { type AgentTestEnvironment, createAgentTestEnvironment } from 'holdfast/testing';
import { type Figures, growths, longRunner, runTurns } from './long-run';

const MB = 1024 * 1024;
/** Bytes that a history may begin with, when the run continues as new: the transcript and what belongs to it. */
const CARRIED = 0.75 * MB;

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [longRunner], server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('completes a run of 1,000 turns with 2 KB a turn, whose histories grow evenly', async () => {
  const figures = await runTurns(kit, { turns: 1000, args: 1024, result: 1024, weighEvery: 50 });
  report(figures);
  expect(unevenness(figures)).toBeLessThan(1.05);
  expect(bytesOfTurns(figures)).toBeLessThan(10 * MB);
});

it('completes a run of 200 turns with 30 KB a turn, whose histories grow evenly', async () => {
  const figures = await runTurns(kit, { turns: 200, args: 15_000, result: 15_000, weighEvery: 10 });
  report(figures);
  expect(unevenness(figures)).toBeLessThan(1.05);
  expect(bytesOfTurns(figures)).toBeLessThan(20 * MB);
});

/** Of the fastest growth of a history and the slowest. */
function unevenness(figures: Figures): number {
  const all = growths(figures);
  expect(all.length).toBeGreaterThan(figures.weighings.length / 2);
  return Math.max(...all) / Math.min(...all);
}

function bytesOfTurns({ bytes, histories }: Figures): number {
  return bytes - (histories - 1) * CARRIED;
}

function report({ turns, msPerTurn, drift, events, bytes, histories }: Figures): void {
  const size = [`${events} events`, `${bytes} bytes`, `${histories} histories`];
  const said = [`${msPerTurn.toFixed(1)} ms a turn`, `drift ${drift.toFixed(2)}`, ...size];
  process.stdout.write(`${turns} turns: ${said.join(', ')}\n`);
}
