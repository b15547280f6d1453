/**
 * Dawn's binding for Node polls its device at every turn of the host's loop, by `setImmediate`. A GPU in software
 * computes on the cores that this takes: loaded before it, this file makes it poll once a millisecond. Its callbacks
 * are native and take nothing, which tells them from the `resolve` of a promise.
 */
const { setImmediate: immediate } = globalThis;
const isPoll = (f) => f.length === 0 && /\{ \[native code\] \}$/.test(String(f));
const seldom = (f, ...words) => (isPoll(f) ? setTimeout(f, 1) : immediate(f, ...words));

const drivers = process.env.VK_DRIVER_FILES ?? process.env.VK_ICD_FILENAMES ?? '';
if (/swiftshader/i.test(drivers))
  globalThis.setImmediate = Object.defineProperties(seldom, Object.getOwnPropertyDescriptors(immediate));
