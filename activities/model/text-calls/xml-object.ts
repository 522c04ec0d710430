import { callNotXml } from '../../../agent/prompts/calls/text-calls';
import type { Json, JsonObject } from '../../../agent/values/json';
import { MAX_DEPTH } from '../../../agent/values/json-depth';
import { withoutEntities } from './entities';

interface Element {
  name: string;
  text: string;
  children: Map<string, Json[]>;
}

const CDATA = '<![CDATA[';
/** The characters of a name, and of the tag that they begin: attributes are left out. */
const TAG = /<(\/?)([A-Za-z_][\w.-]*)([^<>]*)>/y;

/**
 * Elements as an object: an element with elements is an object, any other a text, and repeated ones are a list. Its time
 * is linear: each character is read once, since a tag contains no `<`.
 * @throws Error with what the model reads
 */
export function objectOfXml(xml: string): JsonObject {
  const root: Element = { name: '', text: '', children: new Map() };
  const open = [root];
  for (let at = 0; at < xml.length; ) {
    const top = open.at(-1) as Element;
    const next = xml.indexOf('<', at);
    top.text += withoutEntities(xml.slice(at, next < 0 ? undefined : next));
    if (next < 0) break;
    if (xml.startsWith(CDATA, next)) {
      const end = xml.indexOf(']]>', next);
      top.text += xml.slice(next + CDATA.length, end < 0 ? undefined : end);
      if (end < 0) break;
      at = end + 3;
      continue;
    }
    TAG.lastIndex = next;
    const [tag = '<', slash, name, rest = ''] = TAG.exec(xml) ?? [];
    at = next + tag.length;
    if (name === undefined) top.text += tag;
    else if (slash === '/') close(open, name);
    else if (rest.endsWith('/')) add(top, name, '');
    else if (open.length > MAX_DEPTH) throw new Error(callNotXml(`it is nested deeper than ${MAX_DEPTH} levels`));
    else open.push({ name, text: '', children: new Map() });
  }
  if (open.length > 1) throw new Error(callNotXml(`<${open.at(-1)?.name}> has no end`));
  return objectOf(root);
}

function close(open: Element[], name: string): void {
  const top = open.pop() as Element;
  const parent = open.at(-1);
  if (parent === undefined || top.name !== name) {
    throw new Error(callNotXml(top.name === '' ? `</${name}> ends nothing` : `</${name}> does not end <${top.name}>`));
  }
  add(parent, name, top.children.size > 0 ? objectOf(top) : top.text);
}

function add({ children }: Element, name: string, value: Json): void {
  const list = children.get(name);
  if (list === undefined) children.set(name, [value]);
  else list.push(value);
}

/** Object.fromEntries, since a name may be `__proto__`. */
function objectOf({ children }: Element): JsonObject {
  return Object.fromEntries(
    [...children].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
}
