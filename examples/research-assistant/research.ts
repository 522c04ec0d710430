import { join } from 'node:path';
import { AgentClient } from 'holdfast/client';
import { createWorker, startDev } from 'holdfast/worker';
import { assistant } from './agents';
import { startModel } from './model';

const quiet = { debug() {}, info() {}, warn() {}, error: console.error };

/** What came of the research. */
export interface Outcome {
  data: unknown;
  /** Messages of the whole transcript. */
  messages: number;
  summaries: number;
  histories: number;
  /** Such as `0.91 USD`. */
  cost: string;
}

/** Has the assistant read all reports, and tells what happens to its window and its history. */
export async function research(say: (line: string) => void): Promise<Outcome> {
  const model = await startModel();
  const tree = await startDev({
    configPath: join(__dirname, 'temporal.yaml'),
    port: 0,
    serverOnly: true,
    onEvent: () => undefined,
  });
  const config = { ...tree.config, temporal: { ...tree.config.temporal, address: tree.server.address } };
  const settings = {
    ...{ baseUrl: model.url, model: 'scripted', apiKey: 'none', contextWindow: 256_000 },
    prices: { prompt: 0.1, completion: 0.4, currency: 'USD' },
  };
  const worker = await createWorker({ agents: [assistant], config, models: { default: settings }, logger: quiet });
  const working = worker.run();
  const client = await AgentClient.connect({ config });
  try {
    const run = await client.start(assistant, { id: 'research', input: { question: 'Where did most trees die?' } });
    let [reports, summaries, histories] = [0, 0, 1];
    for await (const fact of run.facts()) {
      if (fact.type === 'tool.result') reports++;
      if (fact.type === 'context.compacted') {
        summaries++;
        const { before, after } = fact.tokens;
        say(`${String(reports).padStart(3)} reports  a summary replaces old reports: ${before} tokens become ${after}`);
      }
      if (fact.type === 'run.continued') {
        histories++;
        say(`${String(reports).padStart(3)} reports  the run goes on in history ${histories}`);
      }
    }
    const { data, cost } = await run.result();
    const transcript = await run.transcript();
    const spent = `${cost?.amount.toFixed(2)} ${cost?.currency}`;
    return { data, messages: transcript.length, summaries, histories, cost: spent };
  } finally {
    worker.shutdown();
    await working;
    await client.close();
    await tree.stop();
    await model.close();
  }
}
