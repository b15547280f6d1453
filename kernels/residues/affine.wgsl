// The end of a product: alpha·value + beta·old, skipping what 1 and 0 make needless.
fn combine(value: Words, alpha: u32, old: Words, beta: u32) -> Words {
  return sums_value(sums_mul(sums_mul(sums_zero(), value, alpha), old, beta));
}
