/**
 * Whether an entry of `tools` of a server means a tool: `*` stands for any characters. Takes linear time, whatever names a
 * server gives.
 */
export function isMeant(entry: string, tool: string): boolean {
  const [first = '', ...rest] = entry.split('*');
  const last = rest.pop();
  if (last === undefined) return entry === tool;
  if (!tool.startsWith(first) || tool.length < first.length + last.length || !tool.endsWith(last)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = tool.indexOf(part, from);
    if (at < 0 || at + part.length > tool.length - last.length) return false;
    from = at + part.length;
  }
  return true;
}
