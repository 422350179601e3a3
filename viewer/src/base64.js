// Base64 to typed arrays. Numbers of documents are little-endian, as every browser's typed arrays are in practice.

export function bytesOf(text) {
    if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(text);
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
}

/** How many bytes a base64 text holds, without decoding it. */
export function lengthOf(text) {
    const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
    return Math.floor((text.length * 3) / 4) - padding;
}

/** `count` numbers; what the text is short of is not a number. */
export function numbersOf(text, Type, count) {
    const bytes = bytesOf(text);
    const whole = Math.floor(bytes.byteLength / Type.BYTES_PER_ELEMENT);
    const found = new Type(bytes.buffer, bytes.byteOffset, whole);
    if (whole >= count) return whole === count ? found : found.subarray(0, count);
    const padded = new Type(count).fill(NaN);
    padded.set(found);
    return padded;
}
