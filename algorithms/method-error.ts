/** A method that cannot be carried out on this device, or in this much memory. */
export class MethodError extends Error {
  override readonly name = 'MethodError';
}
