import type { HostileInput } from './inputs/input';
import { SURFACES, type SurfaceName } from './inputs/surfaces';
import { Beside } from './stage/beside';

const surfaces = Object.keys(SURFACES) as SurfaceName[];
const inputsOf = (surface: SurfaceName): readonly HostileInput[] => SURFACES[surface];

describe.each([
  ['a worker', 1],
  ['a fleet of three workers', 3],
] as const)('%s', (_what, workers) => {
  let beside: Beside;
  beforeAll(async () => {
    beside = await Beside.open({ workers });
  });
  afterAll(() => beside.close());

  describe.each(surfaces)('serves innocent runs without disturbance: %s', (surface) => {
    const rows = inputsOf(surface).map((input) => [input.name, input.does, input] as const);
    it.each(rows)('%s: %s', (_name, _does, input) => beside.faces(surface, input));
  });

  it('holds no more memory than before', () => beside.checkMemory());
});

test('each surface has at least eight inputs, and there are sixty different names', () => {
  for (const surface of surfaces) {
    const names = inputsOf(surface).map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(8);
    expect(new Set(names).size).toBe(names.length);
  }
});
