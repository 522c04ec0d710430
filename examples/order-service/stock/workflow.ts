import { sleep } from '@temporalio/workflow';

const shelves = new Map([
  ['lamp-3', 4],
  ['desk-1', 0],
]);

/** The warehouse's own workflow, older than any agent: plain data in, plain data out. */
export async function checkStock({ sku }: { sku: string }): Promise<{ left: number | string }> {
  // A person walks to the shelf.
  await sleep('2s');
  return { left: shelves.get(sku) ?? 'no such shelf' };
}
