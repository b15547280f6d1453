/** The phases of a run of block Wiedemann, in their order. */
export type Phase = 'setup' | 'sequence' | 'sigmaBasis' | 'verification';
