/** Letters as columns of bits, `width` bytes each in the order of `lookup`; the lowest bit is the top. */
declare module 'oled-font-5x7' {
  const font: {
    readonly width: number;
    readonly height: number;
    readonly fontData: readonly number[];
    readonly lookup: readonly string[];
  };
  export default font;
}
