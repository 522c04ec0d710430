import { Beside } from '../stage/beside';
import type { HostileInput } from './input';
import { SURFACES, type SurfaceName } from './surfaces';

/** The surfaces, in order. */
export const NAMES = Object.keys(SURFACES) as SurfaceName[];

export const inputsOf = (surface: SurfaceName): readonly HostileInput[] => SURFACES[surface];

/** Sends all hostile inputs to so many workers, while innocent runs are served beside them. */
export function facesAll(workers: number): void {
  let beside: Beside;
  beforeAll(async () => {
    beside = await Beside.open({ workers });
  });
  afterAll(() => beside.close());

  describe.each(NAMES)('serves innocent runs without disturbance: %s', (surface) => {
    const rows = inputsOf(surface).map((input) => [input.name, input.does, input] as const);
    it.each(rows)('%s: %s', (_name, _does, input) => beside.faces(surface, input));
  });

  it('holds no more memory than before', () => beside.checkMemory());
}
