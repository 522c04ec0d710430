import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { socketFolder, socketsIn } from '../../../runtime/bus/socket-bus-folder';
import { until } from '../../until';
import { at, endings, HERE, reader, sockets, warned, worker } from './socket-stage';

it('removes sockets of dead workers, also those of other servers, and no others', async () => {
  await worker();
  const [living] = sockets();
  const dead = String(spawnSync(process.execPath, ['-e', '']).pid);
  const die = (path: string) => {
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script, path]);
  };
  // A reused process id may be that of a worker that is just busy.
  for (const name of [`${dead}-a.sock`, `${process.pid}-b.sock`]) die(join(at.folder, name));
  expect(sockets()).toHaveLength(3);
  reader('r1');
  await until(() => !sockets().includes(`${dead}-a.sock`), 'a reader to remove it');
  const other = socketFolder({ ...HERE, address: 'localhost:4711' }, at.tmp) ?? '';
  mkdirSync(other, { mode: 0o700 });
  for (const place of [at.folder, other]) die(join(place, `${dead}-c.sock`));
  await worker();
  expect(sockets()).toEqual(expect.arrayContaining([living, `${process.pid}-b.sock`]));
  expect(sockets()).toHaveLength(3);
  expect(readdirSync(dirname(at.folder))).toHaveLength(1);
});

it('leaves nothing behind', async () => {
  const { close } = await worker();
  await close();
  expect(readdirSync(dirname(at.folder))).toEqual([]);
});

describe('a folder that others can open', () => {
  const bad: [string, () => void][] = [
    [
      'is open to the group',
      () => {
        mkdirSync(dirname(at.folder));
        chmodSync(dirname(at.folder), 0o750);
      },
    ],
    [
      'is a link to somewhere else',
      () => {
        mkdirSync(join(at.tmp, 'else'), { mode: 0o700 });
        symlinkSync(join(at.tmp, 'else'), dirname(at.folder));
      },
    ],
    ['is a file', () => writeFileSync(dirname(at.folder), '')],
  ];
  it.each(bad)('is not used if it %s, and the worker says so', async (_, make) => {
    make();
    await worker();
    expect(warned).toEqual([{ problem: expect.stringContaining(dirname(at.folder)) }]);
  });

  it('is not read until it is closed to them', async () => {
    await worker();
    chmodSync(at.folder, 0o755);
    expect(socketsIn(at.folder)).toEqual([]);
    chmodSync(at.folder, 0o700);
    expect(socketsIn(at.folder)).toHaveLength(1);
  });

  it('of another user is not used', async () => {
    const uid = jest.spyOn(process, 'getuid' as never).mockReturnValue(4711 as never);
    endings.push(() => uid.mockRestore());
    at.folder = socketFolder(HERE, at.tmp) ?? '';
    mkdirSync(dirname(at.folder), { mode: 0o700 });
    await worker();
    expect(warned).toHaveLength(1);
  });
});
