// Outside the loop: in a vm context, such as the workflow sandbox, each look-up of a global costs about 100 ns, so the
// hash of 1 MB would cost 300 ms.
const { imul } = Math;

/**
 * A 64-bit hash of a text, as 16 hexadecimal digits. Within one run it detects a prefix that does not belong to the
 * run. Collisions can be made in seconds. Everything that decides whose data a call sees, or what a person has
 * approved, uses SHA-256, which is computed outside the workflow. Two 32-bit lanes with the multipliers and the
 * finaliser of MurmurHash3, since the workflow sandbox has no `crypto`.
 */
export function hashText(text: string, seed = ''): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  const mix = (input: string) => {
    for (let i = 0; i < input.length; i++) {
      const unit = input.charCodeAt(i);
      a = imul(a ^ unit, 0x85ebca6b);
      b = imul(b ^ unit, 0xc2b2ae35);
    }
  };
  mix(seed);
  mix(text);
  a = finish(a, b);
  b = finish(b, a);
  return hex(a) + hex(b);
}

function finish(lane: number, other: number): number {
  let h = imul(lane ^ (lane >>> 16), 0x85ebca6b) ^ imul(other ^ (other >>> 13), 0xc2b2ae35);
  h = imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
