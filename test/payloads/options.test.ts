import { AgentClient } from 'holdfast/client';
import { createWorker, type TemporalOptions } from 'holdfast/worker';

it.each<[string, object, RegExp]>([
  ['dataConverter.payloadConverterPath', { dataConverter: { payloadConverterPath: './mine' } }, /bundle is prebuilt/],
  ['dataConverter.failureConverterPath', { dataConverter: { failureConverterPath: './mine' } }, /bundle is prebuilt/],
  ['interceptors.workflowModules', { interceptors: { workflowModules: ['./mine'] } }, /bundle is prebuilt/],
  ['interceptors.workflow', { interceptors: { workflow: [] } }, /bundle is prebuilt/],
  ['tuner', { tuner: {} }, /Unknown option/],
  ['dataConverter.payloadCodecs', { dataConverter: { payloadCodecs: [{ encode: () => [] }] } }, /Expected a list/],
])('refuses %s by name, in workers and clients', async (place, temporal, problem) => {
  const refusal = {
    type: 'InvalidDefinition',
    data: { place: `temporal.${place}` },
    message: expect.stringMatching(problem),
  };
  await expect(createWorker({ temporal: temporal as TemporalOptions })).rejects.toMatchObject(refusal);
  await expect(AgentClient.connect({ temporal: temporal as TemporalOptions })).rejects.toMatchObject(refusal);
});
