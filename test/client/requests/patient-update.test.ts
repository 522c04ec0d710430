import { type Client, ServiceError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { orHoldfastError } from '../../../client/requests/client-error';
import { patientUpdate } from '../../../client/requests/patient-update';

/** A FAILED_PRECONDITION of a run that accepts no more updates. */
const FULL = 9.5;

/** A client whose server refuses the first updates with the given gRPC codes, and accepts the next one. */
function refusing(...codes: number[]) {
  const sent: { updateId: string; args: unknown[] }[] = [];
  const executeUpdate = async (_name: string, options: { updateId: string; args: unknown[] }) => {
    sent.push(options);
    const code = codes[sent.length - 1];
    if (code === undefined) return 'taken';
    const details =
      code === FULL ? 'The limit on the total number of distinct updates has been reached (3).' : 'refused';
    const cause = Object.assign(new Error('refused'), { code: Math.trunc(code), details, metadata: {} });
    throw new ServiceError('refused', { cause });
  };
  const client = {
    withDeadline: (_deadline: number, call: () => unknown) => call(),
    workflow: { getHandle: () => ({ executeUpdate }) },
  };
  return { client: client as unknown as Client, sent };
}

test('an update that is refused while a new run of the chain starts is sent again with the same id', async () => {
  const { client, sent } = refusing(9, 14, 10);
  await expect(patientUpdate(client, 'run', 'approve', { payload: { by: 'ann' } })).resolves.toBe('taken');
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ updateId }) => updateId)).size).toBe(1);
  expect(sent[3]?.args).toEqual([{ by: 'ann' }]);
});

test('an update with a permanent refusal is sent once', async () => {
  const { client, sent } = refusing(3);
  await expect(patientUpdate(client, 'run', 'approve', { payload: {} })).rejects.toBeInstanceOf(ServiceError);
  expect(sent).toHaveLength(1);
});

test('it gives up when its workerTimeout is over', async () => {
  const { client, sent } = refusing(...Array.from({ length: 100 }, () => 9));
  const update = patientUpdate(client, 'run', 'approve', { payload: {}, workerTimeout: 300 });
  await expect(update).rejects.toBeInstanceOf(ServiceError);
  expect(sent.length).toBeGreaterThan(1);
});

test('a run that accepts no more updates is reported at once', async () => {
  const { client, sent } = refusing(FULL);
  const error: unknown = await patientUpdate(client, 'run', 'send', { payload: {} }).catch((thrown) => thrown);
  expect(sent).toHaveLength(1);
  expect(orHoldfastError(error, 'run')).toMatchObject({ type: 'RunFull', data: { id: 'run' } });
});

test('an update that no worker has handled is sent again', async () => {
  const { client, sent } = refusing();
  const unprocessed = ApplicationFailure.nonRetryable('not processed', 'UnprocessedUpdate');
  const send = async (options: { updateId: string; args: [unknown] }) => {
    if (sent.push(options) < 3) throw new WorkflowUpdateFailedError('failed', unprocessed);
    return 'taken';
  };
  await expect(patientUpdate(client, 'run', 'send', { payload: {}, send })).resolves.toBe('taken');
  expect(new Set(sent.map(({ updateId }) => updateId)).size).toBe(1);
});
