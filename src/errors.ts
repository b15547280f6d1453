/** The errors of this layer; those of the layers below have files of their own. */

/** An option that the question does not have, or a value that it cannot take. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** The engine's thread ended, or failed in an unforeseen way: a bug, not bad input. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
}
