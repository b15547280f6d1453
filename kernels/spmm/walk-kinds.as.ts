/**
 * Kinds of walks (walks.as.ts): what their kernels ask once. A walk extends one of them and overrides nothing, so that
 * the compiler inlines the answers.
 */

/** Rows in their own order, whose columns are listed. */
// @ts-ignore: decorator
@unmanaged
export class ListedPlaces {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  hasUnits(): bool {
    return true;
  }
}

/** Rows in an order of the part. */
// @ts-ignore: decorator
@unmanaged
export class OrderedPlaces {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return true;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  hasUnits(): bool {
    return true;
  }
}

/** Rows whose places follow from a pattern: each has a value, 0 too. */
// @ts-ignore: decorator
@unmanaged
export class FullPlaces {
  // @ts-ignore: decorator
  @inline
  isOrdered(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  isCommon(): bool {
    return false;
  }

  // @ts-ignore: decorator
  @inline
  hasUnits(): bool {
    return false;
  }
}
