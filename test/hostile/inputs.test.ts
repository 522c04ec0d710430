import type { HostileInput } from './inputs/input';
import { SURFACES, type SurfaceName } from './inputs/surfaces';
import { Beside } from './stage/beside';

let beside: Beside;
beforeAll(async () => {
  beside = await Beside.open({ workers: 1 });
});
afterAll(() => beside.close());

describe.each(Object.keys(SURFACES) as SurfaceName[])('an innocent run is not disturbed: %s', (surface) => {
  // The proof tries all of them.
  const quick = (SURFACES[surface] as readonly HostileInput[]).filter((input) => input.quick).slice(0, 1);
  it.each(quick.map((input) => [input.does, input] as const))('%s', (_does, input) => beside.faces(surface, input));
});
