import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import type { GatewayConfig } from 'holdfast/server';
import { endWithParent } from '../../../runtime/process/child-process';
import { RUN_TS } from '../../sources';
import { type GatewayKit, TOKEN } from './kit';

/** What a process uses: bytes, microseconds of a core without those of this measurement, and connections. */
export interface Usage {
  rss: number;
  heap: number;
  cpu: number;
  sockets: number;
}

export interface ForkedGateway {
  child: ChildProcess;
  url: string;
  usage(): Promise<Usage>;
  /** Microseconds of a core for one small call to Temporal, on this machine and now. Nothing else may happen meanwhile. */
  callCost(): Promise<number>;
}

/** A gateway in a process of its own, which says what it uses. */
export async function forkGateway(
  { kit }: GatewayKit,
  limits: Partial<GatewayConfig['limits']> = {},
): Promise<ForkedGateway> {
  const { address } = (kit.client.temporal.connection as Connection).options;
  const args = [join(__dirname, 'gateway-process.ts'), String(address), TOKEN, JSON.stringify(limits)];
  const child = fork(RUN_TS, args, { execArgv: ['--expose-gc'] });
  endWithParent(child);
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const ask = async <T>(what: string) => {
    child.send(what);
    return ((await once(child, 'message')) as [T])[0];
  };
  return { child, url, usage: () => ask<Usage>('usage'), callCost: () => ask<number>('call') };
}
