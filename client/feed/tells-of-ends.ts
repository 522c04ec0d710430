import type { Client } from '@temporalio/client';

/** What servers have said, by the service of a Temporal client. */
const SAID = new WeakMap<Client['workflowService'], Promise<boolean>>();

/** Whether the server has a long poll for the end of a run. The time-skipping test server has none. It is asked once. */
export function tellsOfEnds({ workflowService }: Client): Promise<boolean> {
  const said = SAID.get(workflowService) ?? ask(workflowService);
  SAID.set(workflowService, said);
  // The next one asks again.
  said.catch(() => SAID.delete(workflowService));
  return said;
}

/** The test server is the only one without a version. */
async function ask(service: Client['workflowService']): Promise<boolean> {
  return Boolean((await service.getSystemInfo({})).serverVersion);
}
