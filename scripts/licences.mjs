// Permitted licences of packages in the lockfile, and violations: used by a test and by npm run sbom.

/** Permissive licences. Their texts must be kept, and remain in node_modules and in the image. */
const PERMISSIVE = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]

/** Other accepted licences, each with the reason. */
const ACCEPTED = {
  'LGPL-3.0-or-later': 'libvips under sharp: a library of its own that anybody may replace',
  'MPL-2.0': 'files of their own, which nobody here changes',
  'CC-BY-4.0': 'caniuse data for building, with attribution',
}

/** Packages whose package.json declares no licence. */
const BY_NAME = {
  'world-countries': 'ODbL-1.0: read when the country list is made, with attribution in docs/attribution.md',
}

const isAllowed = (licence) =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => PERMISSIVE.includes(one) || one in ACCEPTED))

/** Names of packages in a package-lock.json whose licence is unknown or not permitted, each with that licence. */
export function refusedLicences(lockfile) {
  return Object.entries(lockfile.packages)
    .filter(([place, { link }]) => place !== '' && !link)
    .map(([place, { license: licence }]) => [place.replace(/^.*node_modules\//, ''), licence])
    .filter(([name, licence]) => (licence ? !isAllowed(licence) : !(name in BY_NAME)))
    .map(([name, licence]) => `${name}: ${licence ?? 'none named'}`)
}
