import { HoldfastError } from '../../agent/errors/error';
import { DEFAULT_LIMITS } from '../../agent/limits';
import type { BuildContextInput, BuildContextResult } from '../../agent/protocol/activities';
import { pinnedVersion } from '../../agent/protocol/pinned-version';
import { versionAtHand } from '../failures/missing';
import { attemptFailure, checkPatience } from '../failures/patience';
import { interruptible } from '../heartbeat';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { type MakingDeps, makeContext } from './make-context';

export interface ContextDeps extends MakingDeps {
  registry: Registry;
  pins: PinStore;
}

/** `holdfast.buildContext`: the context of a run, where `holdfast.describeAgent` did not return it already. */
export function createBuildContext(deps: ContextDeps) {
  return (given: BuildContextInput): Promise<BuildContextResult> =>
    interruptible(async () => {
      let patience = DEFAULT_LIMITS.startPatience;
      try {
        const manifest = await deps.pins.manifest(given.manifest);
        const agent = versionAtHand(deps.registry, pinnedVersion(manifest));
        patience = manifest.limits.startPatience;
        checkPatience(patience, (problem) => new HoldfastError('ContextBuilderFailed', { agent: agent.name, problem }));
        const made = await makeContext(agent, manifest, given, deps);
        return { ...made, hash: deps.pins.put(made.context) };
      } catch (error) {
        throw attemptFailure(error, patience);
      }
    });
}
