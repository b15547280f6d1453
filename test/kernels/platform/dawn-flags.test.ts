/** What Dawn is told, by the drivers that the environment names. */
import { expect, test } from 'vitest';
import { dawnFlags } from '../../../kernels/platform/dawn-flags.js';

const SWIFTSHADER = '/usr/lib/chromium/vk_swiftshader_icd.json';
const NVIDIA = '/etc/vulkan/icd.d/nvidia_icd.json';
const NO_ZEROS = 'enable-dawn-features=disable_workgroup_init';

test.each([
  ['SwiftShader alone', { VK_ICD_FILENAMES: SWIFTSHADER }, true],
  ['SwiftShader by the newer name', { VK_DRIVER_FILES: SWIFTSHADER }, true],
  ['the newer name before the older', { VK_DRIVER_FILES: NVIDIA, VK_ICD_FILENAMES: SWIFTSHADER }, false],
  ['a GPU beside it', { VK_DRIVER_FILES: `${SWIFTSHADER}:${NVIDIA}` }, false],
  ['whatever else is installed', { VK_ICD_FILENAMES: SWIFTSHADER, VK_ADD_DRIVER_FILES: NVIDIA }, false],
  ['no driver', {}, false],
])('%s', (_, env, isSwiftShader) => {
  expect(dawnFlags('linux', env)).toEqual(isSwiftShader ? ['backend=vulkan', NO_ZEROS] : ['backend=vulkan']);
  expect(dawnFlags('darwin', env)).toEqual([]);
});
