import { HoldfastError } from '../../agent/errors/error';
import { withClient } from '../../cli/with-client';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { said } from './said';

const down = new HoldfastError('NoServer', { address: 'desk:7233', problem: 'connection refused' });

/** Connects to a server that answers after some tries. */
async function connect(failures: number, error: Error, patience?: number) {
  const close = jest.fn(async () => undefined);
  const tries = jest.spyOn(AgentClient, 'connect').mockResolvedValue({ close } as never);
  for (let i = 0; i < failures; i++) tries.mockRejectedValueOnce(error);
  const config = await loadConfig({ cwd: '/', env: { TEMPORAL_ADDRESS: 'desk:7233' } });
  let failure: unknown;
  const { code, err } = await said(() =>
    withClient(config, async () => 0, patience === undefined ? {} : { patience }).catch((thrown: unknown) => {
      failure = thrown;
      return 1;
    }),
  );
  const tried = tries.mock.calls.length;
  tries.mockRestore();
  return { code, err, failure, tried, closed: close.mock.calls.length };
}

describe('the connection of a command', () => {
  it('waits for a server that starts, and says so once', async () => {
    expect(await connect(2, down)).toEqual({
      code: 0,
      err: 'wait  No Temporal server answers at desk:7233 yet; trying for 10 s\n',
      failure: undefined,
      tried: 3,
      closed: 1,
    });
  });

  it('gives up when its time is over', async () => {
    expect(await connect(99, down, 700)).toMatchObject({ code: 1, failure: down, tried: 2 });
    expect(await connect(99, down, 0)).toMatchObject({ code: 1, failure: down, tried: 1, err: '' });
  });

  it('takes its time from the environment', async () => {
    const { HOLDFAST_CONNECT_TIMEOUT: before } = process.env;
    process.env.HOLDFAST_CONNECT_TIMEOUT = '0.7';
    expect(await connect(99, down)).toMatchObject({ failure: down, tried: 2, err: expect.stringContaining('0.7 s') });
    process.env.HOLDFAST_CONNECT_TIMEOUT = 'soon';
    expect(await connect(0, down)).toMatchObject({ failure: { type: 'InvalidConfig' }, tried: 0 });
    if (before === undefined) delete process.env.HOLDFAST_CONNECT_TIMEOUT;
    else process.env.HOLDFAST_CONNECT_TIMEOUT = before;
  });

  it('does not repeat what would fail again', async () => {
    const broken = new HoldfastError('InvalidConfig', { file: 'temporal.yaml', problem: 'x' });
    expect(await connect(99, broken)).toMatchObject({ code: 1, failure: broken, tried: 1, err: '' });
  });
});
