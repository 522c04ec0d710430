import { AgentClient, type ClientTemporalOptions } from 'holdfast/client';
import { createWorker, type WorkerTemporalOptions } from 'holdfast/worker';

const inWorker = (temporal: object) => createWorker({ temporal: temporal as WorkerTemporalOptions });
const inClient = (temporal: object) => AgentClient.connect({ temporal: temporal as ClientTemporalOptions });

const refusal = (place: string, problem: RegExp) => ({
  type: 'InvalidDefinition',
  data: { place: `temporal.${place}` },
  message: expect.stringMatching(problem),
});

it.each<[string, object, RegExp]>([
  ['dataConverter.payloadConverterPath', { dataConverter: { payloadConverterPath: './mine' } }, /bundle is prebuilt/],
  ['dataConverter.failureConverterPath', { dataConverter: { failureConverterPath: './mine' } }, /bundle is prebuilt/],
  ['interceptors.workflowModules', { interceptors: { workflowModules: ['./mine'] } }, /bundle is prebuilt/],
  ['colour', { colour: 'red' }, /does not pass this option on/],
  ['namespace', { namespace: 'shop' }, /use the setting .*`temporal.namespace`/],
  ['dataConverter.payloadCodecs', { dataConverter: { payloadCodecs: [{ encode: () => [] }] } }, /Expected a list/],
])('refuses %s by name, in workers and clients', async (place, temporal, problem) => {
  await expect(inWorker(temporal)).rejects.toMatchObject(refusal(place, problem));
  await expect(inClient(temporal)).rejects.toMatchObject(refusal(place, problem));
});

it.each<[string, object, RegExp]>([
  ['interceptors.workflow', { interceptors: { workflow: [] } }, /bundle is prebuilt/],
  ['workflowsPath', { workflowsPath: './mine' }, /bundle is prebuilt/],
  ['buildId', { buildId: '7' }, /use the option `deployment`/],
  [
    'maxConcurrentWorkflowTaskPoll',
    { maxConcurrentWorkflowTaskPoll: 2 },
    /did you mean `maxConcurrentWorkflowTaskPolls`/,
  ],
])('refuses %s by name, in workers', async (place, temporal, problem) => {
  await expect(inWorker(temporal)).rejects.toMatchObject(refusal(place, problem));
});

it('refuses options of workers in clients', async () => {
  await expect(inClient({ tuner: {} })).rejects.toMatchObject(refusal('tuner', /does not pass this option on/));
});
