/** The device asked for is not there, was lost, or cannot hold what it is given. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
}
