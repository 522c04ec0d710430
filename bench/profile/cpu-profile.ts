import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number };
  children?: number[];
}

interface Profile {
  nodes: ProfileNode[];
  samples: number[];
  timeDeltas: number[];
}

export interface Cost {
  name: string;
  ms: number;
}

export interface Attribution {
  /** Time in a part's own functions, including the engine's work for them, such as JSON. */
  parts: Cost[];
  /** Time in each function, without its callees. */
  own: Cost[];
  /** Time in each function, with its callees. */
  whole: Cost[];
}

/** First match wins. */
const PARTS: readonly [part: string, url: RegExp][] = [
  ['openai client', /node_modules\/openai\//],
  ['workflow sandbox: bundle', /bundle.*\.js/],
  ['workflow sandbox: its thread', /@temporalio\/worker\/lib\/workflow|@temporalio\/workflow\//],
  ['SDK', /node_modules\/(@temporalio|@grpc|protobufjs|@protobufjs|long|nexus-rpc|heap-js|rxjs)\//],
  ['other packages', /node_modules\//],
  ['fetch, HTTP, streams (node)', /undici|node:.*(http|stream|net|fetch|encoding|url|buffer|_tls)/],
  ['node', /^node:/],
  ['the tool, the bare loop', /\/bench\//],
  ['ours: model', /\/activities\/model\//],
  ['ours: activities', /\/activities\//],
  ['ours: agent', /\/agent\//],
  ['ours: other', /\/(workers|runtime|workflows)\//],
];

type Totals = Record<'parts' | 'own' | 'whole', Map<string, number>>;

/** Adds up all profiles of a folder, one for each thread. The first `from` milliseconds of each are left out. */
export function attribute(folder: string, from: number): Attribution {
  const [parts, own, whole] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
    addProfile(profile, from, { parts, own, whole });
  }
  return { parts: sorted(parts), own: sorted(own), whole: sorted(whole) };
}

function addProfile({ nodes, samples, timeDeltas }: Profile, from: number, to: Totals) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const selfMs = new Map<number, number>();
  let passed = 0;
  samples.forEach((id, i) => {
    const ms = (timeDeltas[i] ?? 0) / 1000;
    passed += ms;
    if (passed > from) selfMs.set(id, (selfMs.get(id) ?? 0) + ms);
  });
  for (const [id, ms] of selfMs) {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === '(idle)') continue;
    add(to.parts, partOf(node, byId, parents), ms);
    add(to.own, nameOf(node), ms);
    const above = new Set<string>();
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at);
      if (frame !== undefined) above.add(nameOf(frame));
    }
    for (const name of above) add(to.whole, name, ms);
  }
}

/** A frame without a place, such as JSON.parse, belongs to its caller. */
function partOf(node: ProfileNode, byId: Map<number, ProfileNode>, parents: Map<number, number>): string {
  const { url, functionName } = node.callFrame;
  if (functionName.startsWith('(')) return functionName;
  if (url !== '') return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? 'else';
  const parent = byId.get(parents.get(node.id) ?? -1);
  return parent === undefined ? 'else' : partOf(parent, byId, parents);
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const place = url.replace(/^.*\/(node_modules|dist)\//, '').replace(/^file:\/\//, '');
  return `${functionName || '(anonymous)'} ${place === '' ? '' : `${place}:${lineNumber + 1}`}`.trim();
}

function add(map: Map<string, number>, name: string, ms: number): void {
  map.set(name, (map.get(name) ?? 0) + ms);
}

function sorted(map: Map<string, number>): Cost[] {
  return [...map].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}
