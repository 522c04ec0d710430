import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig } from '../../../cli/doctor/checks';
import type { Finding } from '../../../cli/doctor/finding';
import { RedisServer } from '../../kit/redis-server';

it('writes and reads a stream of the bus', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-doctor-'));
  const redis = await RedisServer.start('--requirepass', 'secret');
  const busAt = async (url: string) => {
    writeFileSync(join(dir, 'temporal.yaml'), `bus: {redis: "${url}"}\n`);
    const findings: Finding[] = [];
    await checkConfig((finding) => findings.push(finding), join(dir, 'temporal.yaml'));
    return findings.find(({ what }) => what === 'bus');
  };
  try {
    const right = redis.url.replace('//', '//:secret@');
    expect(await busAt(right)).toEqual({ state: 'ok', what: 'bus', found: `${redis.url}, written and read` });
    expect(await busAt(redis.url)).toMatchObject({ state: 'note', found: expect.stringContaining('NOAUTH') });
    await redis.kill();
    expect(await busAt(right)).toMatchObject({
      state: 'note',
      found: expect.stringContaining(`Redis cannot be used at ${redis.url} (connect ECONNREFUSED`),
    });
  } finally {
    await redis.close();
    rmSync(dir, { recursive: true });
  }
});
