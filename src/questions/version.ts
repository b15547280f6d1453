/** The version of this program, where its package.json is out of reach; a release writes both (scripts/release.mjs). */
export const VERSION = '0.1.0';
