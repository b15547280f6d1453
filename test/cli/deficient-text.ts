/** The SMS of a square matrix of a known rank: `rank` rows are triangular, the others sums of two of them. */
export function deficientText(size: number, rank: number): string {
  const base = (i: number): Map<number, number> => {
    const others = [1, 2, 3, 4].map((k) => i + 1 + ((i * 7919 + k * 104729) % (size - i)));
    return new Map([[i, 1], ...others.filter((j) => j < size).map((j): [number, number] => [j, 2])]);
  };
  const sum = (i: number): Map<number, number> => {
    const both = base(i);
    for (const [j, value] of base(i + 1)) both.set(j, (both.get(j) ?? 0) + value);
    return both;
  };
  const rows = Array.from({ length: size }, (_, i) => (i < rank ? base(i) : sum(i - rank)));
  const lines = rows.flatMap((row, i) => [...row].map(([j, value]) => `${i + 1} ${j + 1} ${value}\n`));
  return `${size} ${size} M\n${lines.join('')}0 0 0\n`;
}
