/** How Dawn is started under Node. */

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * One backend is named, so that no other one is tried and complains.
 *
 * SwiftShader compiles a store for each word of workgroup memory that a kernel is to find zero, which is most of what
 * such a kernel takes to compile (test/bench/RESULTS.md#gpu-workgroup-memory). Ours read only what they have written:
 * the zeros are left out where no other driver is named. A GPU keeps them, as a browser does.
 */
export function dawnFlags(platform: string, env: Environment): string[] {
  if (platform !== 'linux') return [];
  return ['backend=vulkan', ...(isSwiftShader(env) ? ['enable-dawn-features=disable_workgroup_init'] : [])];
}

/** Whether no other driver is named. */
export function isSwiftShader(env: Environment): boolean {
  const drivers = (env['VK_DRIVER_FILES'] ?? env['VK_ICD_FILENAMES'] ?? '').split(':');
  const isAnyAdded = env['VK_ADD_DRIVER_FILES'] !== undefined;
  return !isAnyAdded && drivers.every((file) => /swiftshader/i.test(file));
}
