import { Context } from '@temporalio/activity';
import type { CheckArgumentsInput, SchemaVerdict } from '../../agent/activities';
import type { Log } from '../../agent/context';
import { messageOf } from '../../agent/error';
import type { JsonObject } from '../../agent/json';
import { check, type Schema } from '../../agent/schema';
import { interruptible } from '../heartbeat';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { settle } from '../tools/settle';
import { schemaVerdict } from './schema-verdict';

interface CheckArgumentsDeps {
  registry: Registry;
  pins: PinStore;
  log: Log;
}

/** Milliseconds that a schema may take, which may be code of the user's: it is mostly asked in a local activity. */
const TIME = 2000;

/** `holdfast.checkArguments`: whether arguments that a person wrote fit a tool, by the pinned schema and by its own. */
export function createCheckArguments({ registry, pins, log }: CheckArgumentsDeps) {
  return ({ pin, name, input }: CheckArgumentsInput): Promise<SchemaVerdict> =>
    interruptible(async (cancelled) => {
      const manifest = await pins.manifest(pin.manifest);
      const spec = manifest.tools.find((tool) => tool.name === name);
      if (spec === undefined) return { ok: false, problem: `the run has no tool \`${name}\`` };
      const pinned = schemaVerdict(spec.inputSchema, input, log, name);
      if (!pinned.ok || spec.kind !== 'internal') return pinned;
      const tools = registry.find(Context.current().info.workflowType ?? '')?.tools ?? {};
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
      // Built-in tools have no schema of the user's, and of one that is gone the model is told when it is called.
      return tool === undefined ? pinned : ownVerdict(tool.input, input, cancelled);
    });
}

/** What the tool's schema says beyond its JSON Schema: refinements, transformations. */
async function ownVerdict(schema: Schema, input: JsonObject, cancelled: AbortSignal): Promise<SchemaVerdict> {
  const settled = await settle(() => check(schema, input), { cancelled, timeout: TIME, grace: 0 });
  if (settled.type === 'timeout') return { ok: false, problem: `(root): the check took more than ${TIME} ms` };
  if (settled.type === 'thrown') return { ok: false, problem: `(root): the check failed: ${messageOf(settled.error)}` };
  const { value } = settled;
  return value.ok ? { ok: true } : { ok: false, problem: value.problem };
}
