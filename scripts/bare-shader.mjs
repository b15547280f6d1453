/** A shader without what only its reader needs, which would be a third of all shaders in a packed page. */
export function bareShader(source) {
  const lines = source.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim());
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}
