/** 32-bit words appended one by one, in an array that doubles. */
export class GrowingWords {
  length = 0;
  private words = new Uint32Array(1024);

  push(word: number): void {
    if (this.length === this.words.length) {
      const longer = new Uint32Array(2 * this.length);
      longer.set(this.words);
      this.words = longer;
    }
    this.words[this.length++] = word;
  }

  /** The appended words; the list is empty afterwards. */
  take(): Uint32Array {
    const out = this.words.slice(0, this.length);
    this.length = 0;
    return out;
  }
}
