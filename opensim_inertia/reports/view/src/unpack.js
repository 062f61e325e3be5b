// Arrays of a page: the counterpart of content.py, which says how they are written.

const MOST = { 2: 2 ** 16 - 2, 4: 2 ** 32 - 2 };

export async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function unpacker(raw) {
  return function unpack(described) {
    const { at, bytes, shape, low, high } = described;
    const count = shape.reduce((product, n) => product * n, 1);
    const width = shape[0] ? count / shape[0] : 0;
    const codes = bytes === 2 ? new Uint16Array(count) : new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      let code = 0;
      for (let plane = bytes - 1; plane >= 0; plane--) {
        code = code * 256 + raw[at + plane * count + i];
      }
      codes[i] = code + (i < width ? 0 : codes[i - width]);
    }
    if (low === undefined) {
      return codes;
    }
    const most = MOST[bytes];
    return Float64Array.from(codes, (code) => (code > most ? NaN : (1 - code / most) * low + (code / most) * high));
  };
}
