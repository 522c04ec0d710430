import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentClient } from 'holdfast/client';
import { startDev } from 'holdfast/worker';
import { Build, buildOf, makeCurrent } from './builds';
import { Customers } from './customers';
import { startModel } from './model';

export interface Outcome {
  sent: number;
  answered: number;
  lost: number;
}

/** Upgrades conversations live from build 1 to build 2. A fifth of them are idle meanwhile. */
export async function upgrade(count: number, say: (line: string) => void): Promise<Outcome> {
  const model = await startModel();
  const tree = await startDev({
    configPath: join(__dirname, 'temporal.yaml'),
    port: 0,
    serverOnly: true,
    onEvent: () => undefined,
  });
  const config = { ...tree.config, temporal: { ...tree.config.temporal, address: tree.server.address } };
  // All of it may run on one busy machine.
  const client = await AgentClient.connect({ config, workerTimeout: 600_000 });
  const settings = { baseUrl: model.url, model: 'scripted', apiKey: 'none' };
  const customers = new Customers(client, count);
  const began = Date.now();
  const builds = async () => {
    const on = await Promise.all(customers.ids.map((id) => buildOf(client, id)));
    return { first: on.filter((build) => build === '1').length, second: on.filter((build) => build === '2').length };
  };
  const left = async (count: number) => {
    while ((await builds()).first > count) await delay(500);
  };
  const row = async (what: string) => {
    const { first, second } = await builds();
    const { sent, byBuild } = customers;
    const time = `${((Date.now() - began) / 1000).toFixed(1)} s`;
    say(rowOf([time, first, second, sent, byBuild['1'] ?? 0, byBuild['2'] ?? 0], what));
  };
  say(rowOf(['time', 'on 1', 'on 2', 'sent', 'by 1', 'by 2'], ''));

  const first = await Build.start('1', config, settings);
  await makeCurrent(client, '1');
  await Promise.all(customers.ids.map((id) => customers.ask(id)));
  await row('all conversations have begun');

  const idle = customers.ids.slice(0, count / 5);
  const traffic = new AbortController();
  const asking = customers.keepAsking(customers.ids.slice(count / 5), traffic.signal);
  await delay(1000);
  await row('most of them go on, some are idle');

  const second = await Build.start('2', config, settings);
  await makeCurrent(client, '2');
  await row('build 2 is the current one');
  await Promise.race([asking, left(idle.length)]);
  await row('each has moved with its next message');

  await Promise.all(idle.map((id) => client.get(id).continueAsNew()));
  await Promise.race([asking, left(0)]);
  await row('a nudge has moved the idle ones');

  // Those who read the answers of build 1 still need it.
  traffic.abort();
  await asking;
  await first.stop();
  await row('build 1 is gone');
  await Promise.all(customers.ids.map((id) => customers.ask(id)));
  await row('all conversations go on');
  const { sent, answered } = customers;
  const outcome = { sent, answered, lost: await customers.lost() };

  await second.stop();
  await client.close();
  await tree.stop();
  await model.close();
  return outcome;
}

function rowOf(cells: readonly (string | number)[], what: string): string {
  return `${cells.map((cell) => String(cell).padStart(7)).join('')}   ${what}`.trimEnd();
}
