// Bytes as the house joins and hashes them. SHA-256 is the browser's own.

const NUMBER_BYTES = 4;
export const HASH_BYTES = 32;

export type Bytes = Uint8Array<ArrayBuffer>;

/** Return whether the browser offers its hash functions: it does at https and on this machine. */
export function canHash(): boolean {
  // Outside of secure contexts browsers leave `subtle` out, whatever the types say.
  return (globalThis.crypto as { subtle?: unknown } | undefined)?.subtle !== undefined;
}

/** Return a text as UTF-8. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Return a number as four bytes, big endian. Throws RangeError where it does not fit. */
export function four(number: number): Bytes {
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** 32) throw new RangeError(`${number} has no four bytes`);
  const bytes = new Uint8Array(NUMBER_BYTES);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** Join bytes. */
export function joined(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}

/** Join parts, each preceded by its length in four bytes. Texts are UTF-8. */
export function framed(...parts: readonly (Uint8Array | string)[]): Bytes {
  return joined(
    parts.flatMap((one) => {
      const bytes = typeof one === "string" ? utf8(one) : one;
      return [four(bytes.length), bytes];
    }),
  );
}

/** Hash bytes that stand one after the other. */
export async function sha256(...parts: readonly Uint8Array[]): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));
}

/** Return bytes as hexadecimal text. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}

/** Read hexadecimal text. Throws RangeError for any other text. */
export function unhex(text: string): Bytes {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) throw new RangeError("this is not hexadecimal text");
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16));
}

/** Read a hash. Throws RangeError where it has another length. */
export function hash(text: string): Bytes {
  const found = unhex(text);
  if (found.length !== HASH_BYTES) throw new RangeError(`a hash has ${HASH_BYTES} bytes, not ${found.length}`);
  return found;
}
