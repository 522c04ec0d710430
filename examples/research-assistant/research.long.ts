import { DOCUMENTS, lossOf } from './documents';
import { research } from './research';

it('reads two hundred reports within its budget, over several windows and histories', async () => {
  const sites = Array.from({ length: DOCUMENTS }, (_, i) => i + 1);
  const loss = Math.max(...sites.map(lossOf));
  const lines: string[] = [];
  const outcome = await research((line) => lines.push(line));
  expect(outcome).toMatchObject({
    data: { read: DOCUMENTS, site: sites.find((site) => lossOf(site) === loss), loss },
    // The question, a message with two calls and two results for each two reports, and the answer.
    messages: 1 + (DOCUMENTS / 2) * 3 + 1,
  });
  expect(outcome.summaries).toBeGreaterThanOrEqual(2);
  expect(outcome.histories).toBeGreaterThanOrEqual(3);
  expect(Number.parseFloat(outcome.cost)).toBeLessThan(2);
  expect(lines).toHaveLength(outcome.summaries + outcome.histories - 1);
});
